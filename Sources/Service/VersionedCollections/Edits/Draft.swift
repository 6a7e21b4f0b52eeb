import DeltaEngine
import SnapshotJSON

/// A mutable copy of a collection's head, to which edits are applied.
struct Draft {
  /// The place of a piece of content.
  enum Source {
    /// The head's contents, at the flat index of an item or the index of a section.
    case held(Int32)
    /// `pieces`, at an index.
    case fresh(Int32)
  }

  struct Item {
    var id: UInt32
    var content: ContentHash
    var source: Source
  }

  struct Section {
    var id: UInt32
    var header: ContentHash
    var source: Source
    var items: [Item]
  }

  var sections: [Section]
  var ids: IDTable
  var overrides: HashOverrides
  /// New contents.
  private var pieces: [ArraySlice<UInt8>] = []
  private let held: Contents
  /// Whether these are the head's, whose memory the next version shares.
  private let isOfHead: Bool
  /// The section of each item; maintained while edits are applied.
  var homes = ItemSections()
  /// The bytes of all contents; maintained while edits are applied.
  var byteCount = 0
  /// The bytes that merges have read and written so far.
  var mergedByteCount = 0

  /// Creates a draft of a collection's head.
  init(
    _ sections: [StructureSection], _ contents: Contents, _ ids: IDTable, _ overrides: HashOverrides
  ) {
    held = contents
    isOfHead = true
    self.ids = ids
    self.overrides = overrides
    var flat: Int32 = 0
    self.sections = sections.enumerated().map { index, section in
      let items = section.items.map { item in
        defer { flat += 1 }
        return Item(id: item.uniqueID, content: item.content, source: .held(flat))
      }
      return Section(
        id: section.uniqueID, header: section.header, source: .held(Int32(index)), items: items)
    }
  }

  /// Creates a draft of a snapshot with the given contents.
  init(
    _ snapshot: Snapshot, _ contents: Contents, _ ids: IDTable, _ overrides: HashOverrides
  ) {
    held = contents
    isOfHead = false
    self.overrides = overrides
    var table = ids
    sections = snapshot.sections.enumerated().map { index, section in
      let id = table.intern(snapshot.bytes(section.id))
      let items = section.items.map { flat in
        let item = snapshot.items[flat]
        let id = table.intern(snapshot.bytes(item.id))
        return Item(id: id, content: overrides.shown(id, item.content), source: .held(Int32(flat)))
      }
      return Section(
        id: id, header: overrides.shown(header: id, section.content), source: .held(Int32(index)),
        items: items)
    }
    self.ids = table
  }

  /// Adds the items of a snapshot to the draft's contents.
  mutating func items(of snapshot: Snapshot) -> [Item] {
    snapshot.items.map { item in
      let id = ids.intern(snapshot.bytes(item.id))
      return Item(
        id: id, content: overrides.shown(id, item.content), source: add(snapshot.bytes(item.json)))
    }
  }

  /// Adds the only section of a snapshot, with its items, to the draft's contents.
  mutating func section(of snapshot: Snapshot) -> Section? {
    guard let section = snapshot.sections.first else { return nil }
    let items = items(of: snapshot)
    return Section(
      id: ids.intern(snapshot.bytes(section.id)), header: section.content,
      source: add(snapshot.bytes(section.header)), items: items)
  }

  func json(_ item: Item) -> ArraySlice<UInt8> {
    switch item.source {
    case .held(let index): held.item(at: Int(index))
    case .fresh(let index): pieces[Int(index)]
    }
  }

  /// The JSON of a section, without its items.
  func json(_ section: Section) -> ArraySlice<UInt8> {
    switch section.source {
    case .held(let index): held.header(ofSection: Int(index))
    case .fresh(let index): pieces[Int(index)]
    }
  }

  /// Adds a piece of content.
  mutating func add(_ json: ArraySlice<UInt8>) -> Source {
    pieces.append(json)
    return .fresh(Int32(pieces.count - 1))
  }

  var metaByteCount: Int { held.meta?.count ?? 0 }

  /// Starts to maintain `homes` and `byteCount`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  mutating func beginEditing() {
    homes = ItemSections(sections)
    byteCount = held.contentByteCount
  }

  // MARK: The next version

  /// The structure, sharing arrays with the previous version.
  func structure(sharing previous: [StructureSection]) -> [StructureSection] {
    var before: [UInt32: [StructureItem]] = [:]
    for section in previous { before[section.uniqueID] = section.items }
    return sections.map { section in
      let items = section.items.map { StructureItem(uniqueID: $0.id, content: $0.content) }
      let shared = before[section.id] == items ? before[section.id] : nil
      return StructureSection(
        uniqueID: section.id, header: section.header, items: shared ?? items)
    }
  }

  /// The contents: new ones are added to those of the head, others are in one buffer.
  var contents: Contents {
    guard isOfHead else {
      return contents(ContentsBuilder(byteCount: max(byteCount, held.contentByteCount)))
    }
    let builder = ContentsBuilder(
      sharing: held, addedBytes: pieces.reduce(0) { $0 + $1.count },
      itemCount: sections.reduce(0) { $0 + $1.items.count })
    return contents(builder).compacted()
  }

  private func contents(_ builder: ContentsBuilder) -> Contents {
    var builder = builder
    for section in sections {
      builder.keepOrAdd(header: json(section))
      for item in section.items {
        if isOfHead, case .held(let flat) = item.source {
          builder.keep(item: Int(flat))
        } else {
          builder.add(item: json(item))
        }
      }
    }
    if let meta = held.meta { builder.keepOrAdd(meta: meta) }
    return builder.contents
  }
}
