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
    let slotCount = TableLayout.slotCount(total)
    var workspace = Workspace(
      byteCount: (total + 1) * 8 + slotCount * 4
        + lists.count * MemoryLayout<Elements<Self>>.stride + 256)
    var indices = ScratchList<Int32>(workspace.carve(total))
    let groups: ScratchBuffer<Int32> = workspace.carve(total)
    let elements: ScratchBuffer<Elements<Self>> = workspace.carve(lists.count)
    for (number, list) in lists.enumerated() {
      elements[number] = unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
      for index in list.indices {
        groups[indices.count] = Int32(truncatingIfNeeded: number)
        indices.append(Int32(truncatingIfNeeded: index))
      }
    }
    let all = UnresolvedElements(
      lists: elements, indices: indices, groups: groups, hasOneList: false)
    let slots: ScratchBuffer<UInt32> = workspace.carve(slotCount)
    var twin: (first: Int, second: Int)? = nil
    for isCanonical in [false, true] where twin == nil {
      let table = IdentityTable(all, slots: slots)
      twin = firstRepeated(IdentityHash(isCanonical: isCanonical), table)
    }
    withExtendedLifetime(lists) {}
    guard let twin, twin.second >= 0 else { return }
    let first = Place(group: Int(groups[twin.first]), index: Int(indices[twin.first]))
    let second = Place(group: Int(groups[twin.second]), index: Int(indices[twin.second]))
    throw DuplicateIdentifier(
      kind: kind, side: side, id: "\(lists[Int(second.group)][Int(second.index)].diffID)",
      first: kind.path(first), second: kind.path(second))
  }

  /// The numbers of the first two elements with one id, -1 when there are none; `nil` when an id
  /// could not be hashed that way.
  @inlinable
  static func firstRepeated(
    _ hash: IdentityHash, _ table: IdentityTable<Self>
  ) -> (first: Int, second: Int)? {
    for number in 0..<table.elements.count {
      guard let hash = hash.hash(table.elements[number].diffID, of: Self.self) else { return nil }
      let twin = table.insert(number, UInt32(truncatingIfNeeded: hash))
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
