import CollectionService

/// What stands around an answer; the raw value is the form's number for it.
enum Framing: UInt8 {
  case none = 0
  case event = 1
}

extension AnswerEncoders {
  /// The encoders of the wire's dialects.
  static let wire = AnswerEncoders(
    snapshot: { material, _ in SnapshotEncoder.encode(material) },
    structure: { SnapshotEncoder.encodeStructure($0) },
    delta: { material, form in
      let json = encode(material, Dialect(rawValue: form.dialect) ?? .staged)
      return form.framing == Framing.event.rawValue
        ? EventText.delta(material, json: json) : json
    })

  private static func encode(_ material: DeltaMaterial, _ dialect: Dialect) -> [UInt8] {
    switch dialect {
    // A reader who wants snapshots is never sent a delta.
    case .staged, .snapshot: StagedEncoder.encode(material)
    case .ops: OpsEncoder.encode(material, countsHeaders: false)
    case .opsWithHeaders: OpsEncoder.encode(material, countsHeaders: true)
    case .splice: SpliceEncoder.encode(material)
    case .diffable: DiffableEncoder.encode(material)
    case .jsonPatch: JSONPatchEncoder.encode(material)
    case .swiftDiff: SwiftDiffEncoder.encode(material)
    }
  }
}
