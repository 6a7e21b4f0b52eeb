/// Whether the ids of two versions are known to be unique.
public enum Uniqueness: Hashable, Sendable {
  /// They are looked at: every id of both versions is hashed once.
  case checked
  /// The caller promises it; ids that line up are not hashed. A broken promise never traps: a
  /// duplicate is still refused where it is met, else the delta leads to the target with an id
  /// removed and added.
  case promised
}

extension Diffable {
  /// Looks for an id that stands twice in a flat list.
  ///
  /// - Parameters:
  ///   - items: The list.
  ///   - side: The version to name in the error.
  /// - Throws: `DuplicateIdentifier` with both places.
  /// - Complexity: O(n) expected.
  @inlinable
  public static func checkUniqueness(
    of items: [Self], _ side: DuplicateIdentifier.Side
  ) throws(DuplicateIdentifier) {
    try checkUniqueness(ofLists: [ContiguousArray(items)], side, kind: .item)
  }

  /// Looks for an id that stands twice in all lists together.
  @inlinable
  static func checkUniqueness(
    ofLists lists: [ContiguousArray<Self>], _ side: DuplicateIdentifier.Side,
    kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) {
    var total = 0
    for list in lists { total += list.count }
    if total < 2 { return }
    var workspace = Workspace(
      byteCount: (total + 1) * 8 + tableSlotCount(total) * 4
        + lists.count * MemoryLayout<Elements<Self>>.stride + 256)
    var places = ScratchList<Place>(workspace.carve(total))
    let elements: ScratchBuffer<Elements<Self>> = workspace.carve(lists.count)
    for (number, list) in lists.enumerated() {
      elements[number] = unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
      for index in list.indices {
        places.append(Place(group: Int32(truncatingIfNeeded: number), index: index))
      }
    }
    let slots: ScratchBuffer<UInt32> = workspace.carve(tableSlotCount(total))
    var twin = firstRepeated(places, elements, slots, isCanonical: false)
    if twin == nil { twin = firstRepeated(places, elements, slots, isCanonical: true) }
    withExtendedLifetime(lists) {}
    guard let twin, twin.second >= 0 else { return }
    let first = places[twin.first]
    let second = places[twin.second]
    throw DuplicateIdentifier(
      kind: kind, side: side, id: "\(lists[Int(second.group)][Int(second.index)].diffID)",
      first: kind.path(first), second: kind.path(second))
  }

  /// The numbers of the first two places with one id, -1 when there are none; `nil` when an id
  /// could not be hashed that way.
  @inlinable
  static func firstRepeated(
    _ places: ScratchList<Place>, _ elements: ScratchBuffer<Elements<Self>>,
    _ slots: ScratchBuffer<UInt32>, isCanonical: Bool
  ) -> (first: Int, second: Int)? {
    let table = IdentityTable<Self>(
      slots: slots, places: places, elements: elements, isCanonical: isCanonical)
    for number in 0..<places.count {
      let place = places[number]
      let id = elements[Int(place.group)][Int(place.index)].diffID
      guard let hash = table.hash.hash(id, of: Self.self) else { return nil }
      let twin = table.insert(number, id, hash)
      if twin >= 0 { return (twin, number) }
    }
    return (-1, -1)
  }
}

extension DiffableSection {
  /// Looks for a section id, then for an item id, that stands twice in a sectioned list.
  ///
  /// - Parameters:
  ///   - sections: The list.
  ///   - side: The version to name in the error.
  /// - Throws: `DuplicateIdentifier` with both places.
  /// - Complexity: O(n) expected.
  @inlinable
  public static func checkUniqueness(
    of sections: [Self], _ side: DuplicateIdentifier.Side
  ) throws(DuplicateIdentifier) {
    try checkUniqueness(ofLists: [ContiguousArray(sections)], side, kind: .section)
    try Item.checkUniqueness(
      ofLists: sections.map { ContiguousArray($0.items) }, side, kind: .item)
  }
}

extension DuplicateIdentifier.Kind {
  /// A place as the error tells it: `[section]`, or `[section, item]`.
  @usableFromInline
  func path(_ place: Place) -> [Int] {
    self == .section ? [Int(place.index)] : [Int(place.group), Int(place.index)]
  }
}
