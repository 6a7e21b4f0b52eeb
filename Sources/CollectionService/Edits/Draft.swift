import DeltaEngine
import SnapshotJSON

/// The next version while edits change it: the sections and items of a collection's head.
struct Draft {
  /// Where a content comes from.
  enum Source {
    /// The head's contents: the flat index of an item, or the index of a section.
    case held(Int32)
    /// `pieces`.
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
  /// Contents that edits brought.
  private var pieces: [ArraySlice<UInt8>] = []
  private let held: Contents
  /// In which section each item is; kept while edits are applied.
  var homes = ItemHomes()
  /// The bytes of all contents; kept while edits are applied.
  var byteCount = 0
  /// The bytes of the contents that merges have read and written so far.
  var mergedByteCount = 0

  /// The head of a collection.
  init(
    _ sections: [StructureSection], _ contents: Contents, _ ids: IDTable, _ overrides: HashOverrides
  ) {
    held = contents
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

  /// A snapshot whose contents are those given.
  init(
    _ snapshot: Snapshot, _ contents: Contents, _ ids: IDTable, _ overrides: HashOverrides
  ) {
    held = contents
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

  /// Takes the items of a snapshot.
  mutating func items(of snapshot: Snapshot) -> [Item] {
    snapshot.items.map { item in
      let id = ids.intern(snapshot.bytes(item.id))
      return Item(
        id: id, content: overrides.shown(id, item.content), source: add(snapshot.bytes(item.json)))
    }
  }

  /// Takes the only section of a snapshot, with its items.
  mutating func section(of snapshot: Snapshot) -> Section? {
    guard let section = snapshot.sections.first else { return nil }
    let items = items(of: snapshot)
    return Section(
      id: ids.intern(snapshot.bytes(section.id)), header: section.content,
      source: add(snapshot.bytes(section.header)), items: items)
  }

  /// The JSON of an item.
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

  /// Keeps a content.
  mutating func add(_ json: ArraySlice<UInt8>) -> Source {
    pieces.append(json)
    return .fresh(Int32(pieces.count - 1))
  }

  /// The bytes of the collection's own content beside the sections.
  var metaByteCount: Int { held.meta?.count ?? 0 }

  /// Begins to keep `homes` and `byteCount`.
  ///
  /// - Complexity: O(n) in the items.
  mutating func beginEditing() {
    homes = ItemHomes(sections)
    byteCount = held.contentByteCount
  }

  // MARK: The next version

  /// The structure, sharing arrays with the version before.
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

  /// The contents, in one buffer.
  var contents: Contents {
    var builder = ContentsBuilder(byteCount: max(byteCount, held.contentByteCount))
    for section in sections {
      builder.add(header: json(section))
      for item in section.items { builder.add(item: json(item)) }
    }
    if let meta = held.meta { builder.add(meta: meta) }
    return builder.contents
  }
}
