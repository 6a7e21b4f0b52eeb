import SnapshotJSON

// With `identity: "occurrence"` several elements may have been sent with one id. A version has the name `id#k` for the
// k-th of them, and a reader numbers those of the list that it is given in the same way. A list that leaves elements
// out, or has another order, thus gives other names to the rest; otherwise its reader would be told how many are
// hidden. A list has at most as many elements with an id as its version, so each of its names is one of the version's.

/// The ids of a list's elements, as its reader numbers them.
struct ListIDs {
  /// The numbers of the ids, in the order of the list.
  private(set) var names: [UInt32]
  /// The numbers of the ids as sent, by the names of those that were sent with another one.
  private(set) var sent: [UInt32: UInt32] = [:]

  /// Numbers elements; nil if the id that one was sent with is not known.
  ///
  /// - Parameters:
  ///   - names: The ids that the version has for them.
  ///   - ids: The texts of the ids.
  ///   - sentID: The id that the element at an index was sent with.
  /// - Throws: `WorkStop`.
  init?(
    _ names: [UInt32], _ ids: IDTable, _ sentID: (Int) throws(WorkStop) -> UInt32?
  ) throws(WorkStop) {
    self.names = names
    guard ids.hasOccurrenceNames else { return }
    var counts: [UInt32: Int] = [:]
    for index in names.indices {
      guard let id = try sentID(index) else { return nil }
      if id != names[index] { counts[id] = 0 }
      self.names[index] = id
    }
    for (index, id) in self.names.enumerated() {
      guard let before = counts[id] else { continue }
      counts[id] = before + 1
      guard let name = ids.find(occurrence: before + 1, of: id) else { return nil }
      self.names[index] = name
      if name != id { sent[name] = id }
    }
  }
}

extension ViewedVersion {
  /// The ids of some items, given by their flat indices in the order of a list.
  ///
  /// - Throws: `WorkStop`.
  /// - Returns: The ids; nil if only the text of an item tells its id, and is not available.
  /// - Complexity: O(*n*), where *n* is the number of items, and in the bytes of those with repeated ids.
  func ids(ofItems items: [Int], _ meter: WorkMeter) throws(WorkStop) -> ListIDs? {
    let reader = SentIDs(version.ids, idPath, meter)
    return try ListIDs(items.map { version.item(at: $0).uniqueID }, version.ids) {
      index throws(WorkStop) in try sentID(ofItem: items[index], reader)
    }
  }

  /// The ids of some sections, given by their indices in the order of a list.
  ///
  /// - Throws: `WorkStop`.
  /// - Returns: The ids; nil if only the header of a section tells its id, and is not available.
  func ids(ofSections sections: [Int], _ meter: WorkMeter) throws(WorkStop) -> ListIDs? {
    let reader = SentIDs(version.ids, idPath, meter)
    let all = version.ids.hasOccurrenceNames ? Set(version.sections.map(\.uniqueID)) : []
    return try ListIDs(sections.map { version.sections[$0].uniqueID }, version.ids) {
      index throws(WorkStop) in
      try reader.sentID(
        version.sections[sections[index]].uniqueID, mayRepeat: all.contains,
        in: { version.header(sections[index]) })
    }
  }

  /// The ids of all items in the view; nil if one is not known.
  func allIDs(_ meter: WorkMeter) throws(WorkStop) -> ListIDs? {
    try ids(ofItems: (0..<members.total).map(members.flatIndex), meter)
  }

  /// Whether the reader may see an item that was sent with an id.
  func isAllowed(sentAs id: UInt32, _ meter: WorkMeter) throws(WorkStop) -> Bool {
    let reader = SentIDs(version.ids, idPath, meter)
    var (name, number): (UInt32?, Int) = (id, 1)
    while let item = name.flatMap(version.flatIndex) {
      if members.isAllowed(item), try sentID(ofItem: item, reader) == id { return true }
      guard version.ids.hasOccurrenceNames else { return false }
      number += 1
      name = version.ids.find(occurrence: number, of: id)
    }
    return false
  }

  private func sentID(ofItem item: Int, _ reader: SentIDs) throws(WorkStop) -> UInt32? {
    try reader.sentID(
      version.item(at: item).uniqueID,
      mayRepeat: { version.flatIndex(of: $0).map { $0 < item } ?? false },
      in: { version.json(item) })
  }
}

/// Finds the ids that elements of a version were sent with.
private struct SentIDs {
  private let ids: IDTable
  private let tree: PointerTree
  private let meter: WorkMeter

  init(_ ids: IDTable, _ idPath: JSONPointer, _ meter: WorkMeter) {
    (self.ids, self.meter) = (ids, meter)
    tree = PointerTree([idPath])
  }

  /// The id that an element was sent with.
  ///
  /// - Parameters:
  ///   - name: The id that the version has for it.
  ///   - mayRepeat: Whether the element may repeat one with an id.
  ///   - json: The text of the element, if it is available.
  /// - Throws: `WorkStop`.
  /// - Returns: The id; nil if only the text tells it.
  func sentID(
    _ name: UInt32, mayRepeat: (UInt32) -> Bool, in json: () -> ArraySlice<UInt8>?
  ) throws(WorkStop) -> UInt32? {
    guard ids.hasOccurrenceNames else { return name }
    try meter.spend(64)
    guard let occurrence = OccurrenceName(ids.text(name).span),
      let id = ids.find(ids.text(name).prefix(occurrence.sentCount)), mayRepeat(id)
    else { return name }
    guard let json = json() else { return nil }
    try meter.spend(json.count + 64)
    var places = tree.noPlaces
    tree.find(in: json.span, &places)
    let place = places[tree.leaves[0]].value
    let value = json.dropFirst(place.lowerBound).prefix(place.count)
    let isText = RawJSON.kind(of: value.span) == .string
    return (isText ? RawJSON.unescaped(value.span)[...] : value) == ids.text(id) ? id : name
  }
}
