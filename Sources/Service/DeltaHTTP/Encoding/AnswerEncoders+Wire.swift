import CollectionService
import VersionedCollections

/// The framing of an answer; the raw value is its number in `AnswerForm`.
enum Framing: UInt8 {
  case none = 0
  case event = 1
}

extension AnswerEncoders {
  static let wire = AnswerEncoders(
    snapshot: { material, form in
      coded(SnapshotText.content(material), form, from: ContentCoding.textBytesMin)
    },
    delta: { material, form in
      let json = encode(material, Dialect(rawValue: form.dialect) ?? .staged)
      switch Framing(rawValue: form.framing) {
      case .event:
        let id = material.envelope?.to.description
        return coded(EventText.event("delta", id: id, data: json), form, from: eventBytesMin)
      default: return coded(json, form, from: ContentCoding.textBytesMin)
      }
    })

  /// The smallest event that is deflated, in bytes.
  ///
  /// A stream is encoded as a whole, so smaller events are stored in it uncompressed.
  private static let eventBytesMin = 128

  private static func coded(_ text: [UInt8], _ form: AnswerForm, from count: Int) -> EncodedText {
    form.coding == 0 || text.count < count ? EncodedText(text) : Deflater.deflate(text)
  }

  private static func encode(_ material: DeltaEncodingInput, _ dialect: Dialect) -> [UInt8] {
    switch dialect {
    // Readers that ask for snapshots are never sent a delta.
    case .staged, .snapshot: StagedEncoder.encode(material)
    case .ops: OpsEncoder.encode(material, countsHeaders: false)
    case .opsWithHeaders: OpsEncoder.encode(material, countsHeaders: true)
    case .splice: SpliceEncoder.encode(material)
    case .diffable: DiffableEncoder.encode(material)
    case .jsonPatch: JSONPatchEncoder.encode(material)
    }
  }
}
