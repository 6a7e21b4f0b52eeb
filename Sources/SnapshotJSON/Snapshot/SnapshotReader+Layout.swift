extension SnapshotReader {
  /// Finds the top-level parts.
  ///
  /// - Throws: `badSnapshot` for members that are unknown, missing, repeated or not arrays.
  func findLayout() throws(SnapshotError) -> SnapshotLayout {
    let root = UInt32(value.index)
    switch value.kind {
    case .array:
      return SnapshotLayout(list: root, isFlat: !sectionsPath.isRoot, isBare: true, place: "")
    case .object:
      if options.hasProtocolEnvelope { try refuseUnknownMembers() }
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

  private func refuseUnknownMembers() throws(SnapshotError) {
    guard let member = value.unknownMember(besides: Self.envelope) else { return }
    throw bad(member.pointer, member.detail + "; members of your own go into meta")
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
    let sections = sectionsPath.isRoot ? nil : try find(sectionsPath, root)
    let items = itemsPath.isRoot ? nil : try find(itemsPath, root)
    if sections != nil, items != nil {
      throw bad(itemsPath.text, "a snapshot has sections or items, not both")
    }
    guard let list = sections ?? items else {
      throw bad("", "a snapshot has \(sectionsPath.text) or \(itemsPath.text); this has neither")
    }
    let place = items == nil ? sectionsPath.text : itemsPath.text
    try requireArray(list, place)
    if items == nil, let items = anonymousItems(list) {
      return SnapshotLayout(
        list: items, isFlat: true, isBare: false, place: "\(place)/0\(itemsPath.text)")
    }
    return SnapshotLayout(list: list, isFlat: items != nil, isBare: false, place: place)
  }

  /// The items of a flat list written as its anonymous section.
  private func anonymousItems(_ sections: UInt32) -> UInt32? {
    guard view.elementCount(sections) == 1 else { return nil }
    let section = JSONValue(storage: value.storage, index: Int(sections + 1))
    guard let id = section["id"], id.string == "",
      section.members.reduce(0, { sum, _ in sum + 1 }) == 2,
      case .one(let items) = itemsPath.find(sections + 1, in: view), view[items].kind == .array
    else { return nil }
    return items
  }

  private func find(_ path: TokenPath, _ root: UInt32) throws(SnapshotError) -> UInt32? {
    switch path.find(root, in: view) {
    case .none: return nil
    case .one(let value): return value
    case .several: throw bad(path.text, "the member stands twice")
    }
  }

  private func findMember(_ name: String, _ root: UInt32) throws(SnapshotError) -> UInt32? {
    try find(TokenPath(JSONPointer(tokens: [name])), root)
  }

  func requireArray(_ index: UInt32, _ place: String) throws(SnapshotError) {
    let kind = view[index].kind
    guard kind == .array else { throw bad(place, "expected an array, not \(kind.noun)") }
  }

  // MARK: Sections

  /// Finds the id and the items of a section.
  ///
  /// - Throws: `badSnapshot` unless it is an object with one id and one array of items.
  func findParts(
    _ section: UInt32, at index: Int
  ) throws(SnapshotError) -> (id: UInt32, items: UInt32) {
    let kind = view[section].kind
    guard kind == .object else {
      throw bad(sectionPlace(index), "a section is an object, not \(kind.noun)")
    }
    let id = try findID(of: section, at: index)
    let items = try findOne(itemsPath, section, "section") { sectionPlace(index) }
    if view[items].kind != .array { try requireArray(items, sectionPlace(index) + itemsPath.text) }
    if id >= items, id < view[items].next {
      throw bad(sectionPlace(index) + idPath.text, "a section's id is not among its items")
    }
    return (id, items)
  }

  /// Finds the id of a section: at the `idPath`, or else in `id`, as `sectionBy` makes sections.
  private func findID(of section: UInt32, at index: Int) throws(SnapshotError) -> UInt32 {
    if case .none = idPath.find(section, in: view),
      case .one(let id) = TokenPath(.id).find(section, in: view)
    {
      return id
    }
    return try findOne(idPath, section, "section") { sectionPlace(index) }
  }

  /// Finds the only value at a path in a section or an item.
  @inline(__always)
  func findOne(
    _ path: TokenPath, _ index: UInt32, _ noun: StaticString, _ place: () -> String
  ) throws(SnapshotError) -> UInt32 {
    switch path.find(index, in: view) {
    case .one(let value): return value
    case .none:
      let (setting, what) = path.text == idPath.text ? ("idPath", "ids") : ("itemsPath", "items")
      throw bad(
        place(), "the \(noun) has no \(path.text); the setting \(setting) says where \(what) are")
    case .several: throw bad(place() + path.text, "the member stands twice")
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
          .tooManySections, at: pointer + listPlace,
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
        .tooManyItems, at: pointer + listPlace,
        "\(itemCount) items; at most \(limits.itemsMax)", limit: limits.itemsMax)
    }
    items.reserveCapacity(itemCount - omitted)
    elementCount += itemCount - omitted
  }

  private func sectionedItemCount(_ list: UInt32) throws(SnapshotError) -> Int {
    var sum = 0
    var section = list + 1
    var index = 0
    while section < view[list].next {
      sum += view.elementCount(try findParts(section, at: index).items)
      section = view[section].next
      index += 1
    }
    return sum
  }

  // MARK: Places

  /// The pointer to the list, relative to the snapshot.
  var listPlace: String {
    layout.place
  }

  /// The pointer to a section, relative to the snapshot.
  func sectionPlace(_ section: Int) -> String { "\(listPlace)/\(section)" }

  /// The pointer to an item, relative to the snapshot.
  func itemPlace(section: Int, item: Int) -> String {
    layout.isFlat
      ? "\(listPlace)/\(item)" : "\(listPlace)/\(section)\(itemsPath.text)/\(item)"
  }
}
