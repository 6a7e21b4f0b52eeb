import DeltaEngine
import SnapshotJSON

extension CompiledView {
  /// What a restricted reader sees of section headers.
  enum HeaderForm {
    case asStored
    /// Only the id, which is at the pointer.
    case idOnly(JSONPointer)
    /// Made from the first item that the reader may see, as headers of derived sections are.
    case made(SectionRule)

    init(_ restriction: ViewRestriction?, _ settings: CollectionSettings) {
      let rule = settings.sectionRule
      switch restriction {
      case nil: self = .asStored
      case let restriction? where !restriction.extras.contains(.headers):
        self = .idOnly(rule == nil ? settings.idPath : .id)
      default:
        self =
          if let rule, !rule.headerFrom.isEmpty { .made(rule) } else { .asStored }
      }
    }
  }

  /// A section's header as the reader sees it.
  enum ShownHeader: Equatable {
    case asStored(ContentHash)
    case other([UInt8], ContentHash)
    /// Contents that it is made of are not available.
    case missing

    /// The text, if it is another than the stored one.
    var otherText: [UInt8]? { if case .other(let text, _) = self { text } else { nil } }

    var hash: ContentHash? {
      switch self {
      case .asStored(let hash), .other(_, let hash): hash
      case .missing: nil
      }
    }
  }

  /// Returns the headers of the sections of a list as the reader sees them; nil for that of a flat one.
  ///
  /// - Throws: `WorkStop`.
  func shownHeaders(
    of sections: [Int?], in viewed: ViewedVersion, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> [ShownHeader?] {
    var headers: [ShownHeader?] = []
    headers.reserveCapacity(sections.count)
    for section in sections {
      guard let section else {
        headers.append(nil)
        continue
      }
      headers.append(try shownHeader(of: section, in: viewed, reader, meter))
    }
    return headers
  }

  /// Returns the header of a section as the reader sees it; the section has an item that the reader may see.
  private func shownHeader(
    of section: Int, in viewed: ViewedVersion, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> ShownHeader {
    let version = viewed.version
    let text: [UInt8]
    switch headerForm {
    case .asStored: return .asStored(version.sections[section].header)
    case .idOnly(let pointer):
      guard version.contents.hasHeader(ofSection: section) else { return .missing }
      let header = version.contents.header(ofSection: section)
      try meter.spend(2 * header.count + 512)
      var projection = ItemProjection(ViewSelection([pointer]))
      text = projection(header)
    case .made(let rule):
      let items = version.items(of: section)
      let first =
        viewed.members.allowed.map { $0.element($0.rank(items.lowerBound)) } ?? items.lowerBound
      guard let json = version.json(first) else { return .missing }
      try meter.spend(4 * json.count + 512)
      var mask = itemMask.map { ItemProjection($0) }
      guard let root = reader.root(of: mask?(json) ?? Array(json)) else { return .missing }
      text = rule.header(id: Array(version.ids.text(version.sections[section].uniqueID)), of: root)
    }
    guard let hash = reader.root(of: text)?.contentHash() else { return .missing }
    return .other(text, hash)
  }
}
