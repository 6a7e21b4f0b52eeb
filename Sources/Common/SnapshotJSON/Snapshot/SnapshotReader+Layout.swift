extension SnapshotReader {
  /// Finds the top-level parts.
  ///
  /// - Throws: `badSnapshot` for members that are unknown, missing, repeated or not arrays.
  func findLayout() throws(SnapshotError) -> SnapshotLayout {
    let root = UInt32(value.index)
    switch value.kind {
    case .array:
      return SnapshotLayout(list: root, isFlat: !sectionsPath.tokens.isEmpty)
    case .object:
      try checkMembers()
      var layout = try findLists(root)
      layout.meta = try findMember("meta", root)
      layout.settings = try findMember("settings", root)
      // In other layouts, a member `version` belongs to the writer.
      if isServiceDocument || options.hasProtocolEnvelope {
        layout.version = try findMember("version", root)
      }
      return layout
    case let kind:
      throw bad("", "a snapshot is an object or an array of items, not \(kind.noun)")
    }
  }

  /// Throws if the document has a member twice, or one that is not of the protocol; in the writer's own layout any may
  /// stand there.
  private func checkMembers() throws(SnapshotError) {
    guard options.hasProtocolEnvelope || isServiceDocument else { return }
    do throws(MemberFault) {
      _ = try StrictJSON(value).object(of: options.hasProtocolEnvelope ? Self.envelope : nil)
    } catch {
      let hint = error.isRepeated ? "" : "; members of your own go into meta"
      throw bad(error.pointer, error.detail + hint)
    }
    if let meta = value["meta"], let fault = StrictJSON(meta).firstRepeatedMember {
      throw bad("/meta" + fault.pointer, fault.detail)
    }
  }

  /// The members that writers send, and those that readers get in addition and may send back.
  private static let envelope = [
    "sections", "items", "meta", "settings", "kind", "collection", "version", "seq", "idPath",
    "animations",
  ]

  /// Whether the document is one that a reader got from the service, whatever layout the writer
  /// uses.
  var isServiceDocument: Bool {
    value["kind"]?.string == "snapshot" && value["collection"] != nil && value["version"] != nil
      && value["seq"] != nil
  }

  private func findLists(_ root: UInt32) throws(SnapshotError) -> SnapshotLayout {
    // An empty path refers to the root, which is an object here.
    let sections = sectionsPath.tokens.isEmpty ? nil : try find(sectionsPath, root)
    let items = itemsPath.tokens.isEmpty ? nil : try find(itemsPath, root)
    if sections != nil, items != nil {
      throw bad(itemsPath.description, "a snapshot has sections or items, not both")
    }
    guard let list = sections ?? items else {
      throw bad("", "a snapshot has \(sectionsPath) or \(itemsPath); this has neither")
    }
    try requireArray(list)
    if items == nil, let items = anonymousItems(list) {
      return SnapshotLayout(list: items, isFlat: true)
    }
    return SnapshotLayout(list: list, isFlat: items != nil)
  }

  /// The items of a flat list written as its anonymous section.
  private func anonymousItems(_ sections: UInt32) -> UInt32? {
    guard view.elementCount(sections) == 1 else { return nil }
    let section = JSONValue(storage: value.storage, index: Int(sections + 1))
    guard let id = section["id"], id.string == "",
      section.members.reduce(0, { sum, _ in sum + 1 }) == 2,
      case .one(let items) = view.find(itemsPath, from: sections + 1), view[items].kind == .array
    else { return nil }
    return items
  }

  private func find(_ path: JSONPointer, _ root: UInt32) throws(SnapshotError) -> UInt32? {
    switch view.find(path, from: root) {
    case .none: return nil
    case .one(let value): return value
    case .several: throw bad(path.description, "the member stands twice")
    }
  }

  private func findMember(_ name: String, _ root: UInt32) throws(SnapshotError) -> UInt32? {
    try find(JSONPointer(tokens: [name]), root)
  }

  private func requireArray(_ index: UInt32) throws(SnapshotError) {
    let kind = view[index].kind
    guard kind == .array else { throw bad(index, "expected an array, not \(kind.noun)") }
  }

  // MARK: Sections

  /// Finds the id and the items of a section.
  ///
  /// - Throws: `badSnapshot` unless it is an object with one id and one array of items.
  func findParts(_ section: UInt32) throws(SnapshotError) -> (id: UInt32, items: UInt32) {
    let kind = view[section].kind
    guard kind == .object else {
      throw bad(section, "a section is an object, not \(kind.noun)")
    }
    do throws(MemberFault) {
      _ = try StrictJSON(JSONValue(storage: value.storage, index: Int(section))).object()
    } catch {
      throw bad(value.pointer(to: Int(section)) + error.pointer, error.detail)
    }
    let id = try findID(of: section)
    let items = try findOne(itemsPath, section, "section")
    try requireArray(items)
    if id >= items, id < view[items].next {
      throw bad(id, "a section's id is not among its items")
    }
    return (id, items)
  }

  /// Finds the id of a section: at the `idPath`, or else in `id`, as `sectionBy` makes sections.
  private func findID(of section: UInt32) throws(SnapshotError) -> UInt32 {
    if case .none = view.find(options.idPath, from: section),
      case .one(let id) = view.find(.id, from: section)
    {
      return id
    }
    return try findOne(options.idPath, section, "section")
  }

  /// Finds the only value at a path in a section or an item.
  @inline(__always)
  func findOne(
    _ path: JSONPointer, _ index: UInt32, _ noun: StaticString
  ) throws(SnapshotError) -> UInt32 {
    switch view.find(path, from: index) {
    case .one(let value): return value
    case .none:
      let (setting, what) = path == options.idPath ? ("idPath", "ids") : ("itemsPath", "items")
      throw bad(
        index, "the \(noun) has no \(path); the setting \(setting) says where \(what) are")
    case .several:
      throw bad(value.pointer(to: Int(index)) + path.description, "the member stands twice")
    }
  }

  // MARK: Counts

  /// Counts sections and items, checks the limits and reserves memory.
  mutating func count() throws(SnapshotError) {
    let list = layout.list
    var itemCount = 0
    if layout.isFlat {
      itemCount = view.elementCount(list)
    } else {
      let sectionCount = view.elementCount(list)
      guard sectionCount <= limits.sectionsMax else {
        throw SnapshotError(
          .tooManySections, at: place(list),
          "\(sectionCount) sections; at most \(limits.sectionsMax)", limit: limits.sectionsMax)
      }
      sections.reserveCapacity(sectionCount)
      elementCount = sectionCount
      itemCount = try sectionedItemCount(list)
    }
    let omitted = markers.reduce(0) { $0 + $1.count - 1 }
    itemCount += omitted
    guard itemCount <= limits.itemsMax else {
      throw SnapshotError(
        .tooManyItems, at: place(list),
        "\(itemCount) items; at most \(limits.itemsMax)", limit: limits.itemsMax)
    }
    items.reserveCapacity(itemCount - omitted)
    elementCount += itemCount - omitted
  }

  private func sectionedItemCount(_ list: UInt32) throws(SnapshotError) -> Int {
    var sum = 0
    var section = list + 1
    while section < view[list].next {
      sum += view.elementCount(try findParts(section).items)
      section = view[section].next
    }
    return sum
  }
}
