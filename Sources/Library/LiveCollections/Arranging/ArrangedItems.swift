public import DeltaEngine

/// A flat list that is kept in order and divided into sections.
///
/// Each change either is made, and returned as a delta of the sections, or throws and changes
/// nothing. Sections have the identity that the grouping gives them and are never empty.
///
/// ```swift
/// var songs = ArrangedItems(
///   sections: SectionGrouping(by: \.album) { Album(uniqueID: $0, items: $1) },
///   order: ItemOrder(\.album).then(\.track))
/// try songs.setItems(library)
/// data.update(songs.sections) { _ in }
/// ```
public struct ArrangedItems<SectionType: UniquelyIdentifiableSection> {
  /// The type of the items.
  public typealias ItemType = SectionType.DataType
  /// The type of the items' ids.
  public typealias ItemID = SectionType.DataType.UniqueIDType

  /// The items, in order.
  public private(set) var items: [ItemType] = []
  /// The sections of the items.
  public private(set) var sections: [SectionType] = []
  /// The order of the items; `nil` to keep them as they come.
  public private(set) var order: ItemOrder<ItemType>?

  /// Whether changes are compared here: not where a collection compares them.
  private var isCompared = true
  private let grouping: SectionGrouping<SectionType>
  /// Orders what `order` does not tell apart.
  private let tiebreak: ItemOrder<ItemType>?

  /// An empty list; items that the order does not tell apart keep their order.
  public init(sections grouping: SectionGrouping<SectionType>, order: ItemOrder<ItemType>? = nil) {
    (self.grouping, self.order, tiebreak) = (grouping, order, nil)
  }

  /// An empty list; items that the order does not tell apart are ordered by their ids, so that the
  /// same items always come out alike.
  public init(sections grouping: SectionGrouping<SectionType>, order: ItemOrder<ItemType>? = nil)
  where ItemID: Comparable & SendableMetatype {
    (self.grouping, self.order, tiebreak) = (grouping, order, ItemOrder(\.uniqueID))
  }

  private func sorted(_ items: [ItemType]) -> [ItemType] {
    guard let order else { return items }
    return (tiebreak.map(order.then) ?? order).sorted(items)
  }
}

extension ArrangedItems: Sendable where SectionType: Sendable, ItemType: Sendable {}

// MARK: - Changes

extension ArrangedItems {
  /// Replaces all items.
  ///
  /// - Parameters:
  ///   - items: The items wanted.
  ///   - alreadySorted: Whether to keep the order in which they are given.
  /// - Returns: What changed in the sections.
  /// - Throws: `ArrangingError.duplicateItem`, `.notContiguous`.
  @discardableResult public mutating func setItems(
    _ items: [ItemType], alreadySorted: Bool = false
  ) throws(ArrangingError) -> Delta {
    let items = alreadySorted ? items : sorted(items)
    let sections = try grouping.sections(of: items)
    let delta = try delta(to: items, sections)
    (self.items, self.sections) = (items, sections)
    return delta
  }

  private func delta(
    to items: [ItemType], _ sections: [SectionType]
  ) throws(ArrangingError) -> Delta {
    guard isCompared else {
      var known: Set<ItemID> = []
      for item in items where !known.insert(item.uniqueID).inserted {
        throw .duplicateItem("\(item.uniqueID)")
      }
      return .empty
    }
    do {
      return try Delta(from: self.sections, to: sections)
    } catch {
      throw .duplicateItem(error.id)
    }
  }

  /// Makes changes without comparing; all of them or none.
  mutating func withoutComparing(
    _ change: (inout Self) throws(ArrangingError) -> Void
  ) throws(ArrangingError) {
    var next = self
    next.isCompared = false
    try change(&next)
    next.isCompared = isCompared
    self = next
  }

  /// Sorts the items again, or by another order.
  ///
  /// - Returns: What changed: only moves, unless the order decides on the sections.
  /// - Throws: `ArrangingError.notContiguous` when the order separates the items of a section.
  @discardableResult public mutating func resort(
    by order: ItemOrder<ItemType>? = nil
  ) throws(ArrangingError) -> Delta {
    var next = self
    next.order = order ?? self.order
    let delta = try next.setItems(items)
    self = next
    return delta
  }

  /// Replaces the items whose ids there are, adds the others, and deletes some.
  ///
  /// An id in both lists is deleted; an unknown one to be deleted is ignored. Items are sorted only
  /// if any were replaced or added.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `ArrangingError.notContiguous`.
  @discardableResult public mutating func update(
    upsert: [ItemType] = [], delete: [ItemID] = []
  ) throws(ArrangingError) -> Delta {
    var places: [ItemID: Int] = [:]
    for (index, item) in items.enumerated() { places[item.uniqueID] = index }
    var next = items
    for item in upsert {
      if let place = places[item.uniqueID] {
        next[place] = item
      } else {
        places[item.uniqueID] = next.count
        next.append(item)
      }
    }
    let deleted = Set(delete)
    if !deleted.isEmpty { next.removeAll { deleted.contains($0.uniqueID) } }
    return try setItems(next, alreadySorted: upsert.isEmpty)
  }

  /// Deletes the item at a place, without sorting.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `ArrangingError.noSuchPlace`, `.notContiguous` when the item separated two sections
  ///   with one id.
  @discardableResult
  public mutating func delete(section: Int, item: Int) throws(ArrangingError) -> Delta {
    guard self.item(section: section, item: item) != nil else {
      throw .noSuchPlace(section: section, item: item)
    }
    var next = items
    next.remove(at: sections[..<section].reduce(item) { $0 + $1.items.count })
    return try setItems(next, alreadySorted: true)
  }

  /// Moves an item to the place of another one, without sorting: the next change that sorts undoes
  /// it.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `ArrangingError.unknownItem`, `.notContiguous` when the place is in another section.
  @discardableResult
  public mutating func move(_ id: ItemID, toPlaceOf other: ItemID) throws(ArrangingError) -> Delta {
    let (source, target) = (try index(of: id), try index(of: other))
    var next = items
    next.insert(next.remove(at: source), at: target)
    return try setItems(next, alreadySorted: true)
  }

  /// Exchanges the places of two items, without sorting.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `ArrangingError.unknownItem`, `.notContiguous` when they are in different sections.
  @discardableResult
  public mutating func swap(_ first: ItemID, _ second: ItemID) throws(ArrangingError) -> Delta {
    var next = items
    next.swapAt(try index(of: first), try index(of: second))
    return try setItems(next, alreadySorted: true)
  }
}

// MARK: - Places

extension ArrangedItems {
  /// The place of an item in its section, if it is there.
  ///
  /// - Complexity: O(n).
  public func place(of id: ItemID) -> (section: Int, item: Int)? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(where: { $0.uniqueID == id }) {
        return (section, item)
      }
    }
    return nil
  }

  /// The item at a place, if there is one.
  public func item(section: Int, item: Int) -> ItemType? {
    guard sections.indices.contains(section), sections[section].items.indices.contains(item)
    else { return nil }
    return sections[section].items[item]
  }

  private func index(of id: ItemID) throws(ArrangingError) -> Int {
    guard let index = items.firstIndex(where: { $0.uniqueID == id }) else {
      throw .unknownItem("\(id)")
    }
    return index
  }
}
