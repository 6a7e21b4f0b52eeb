public import DeltaEngine

/// A flat list that is kept in an order and falls into sections by a rule.
///
/// Each change either is made and told as a delta of the derived sections, or throws and changes
/// nothing. Sections have the identity that the rule gives them, and are never empty.
///
/// ```swift
/// var songs = ArrangedItems(
///   sections: SectionRule(by: \.album) { Album(uniqueID: $0, items: $1) },
///   order: SortRule(\.album).then(\.track))
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
  /// The sections that the items fall into.
  public private(set) var sections: [SectionType] = []
  /// The order that items are brought into; `nil` to keep them as they come.
  public private(set) var order: SortRule<ItemType>?
  private let rule: SectionRule<SectionType>
  /// Orders what `order` does not tell apart.
  private let tiebreak: SortRule<ItemType>?

  /// An empty list with its rules; what the order does not tell apart stays as it came.
  public init(sections rule: SectionRule<SectionType>, order: SortRule<ItemType>? = nil) {
    self.init(sections: rule, order: order, tiebreak: nil)
  }

  private init(
    sections rule: SectionRule<SectionType>, order: SortRule<ItemType>?,
    tiebreak: SortRule<ItemType>?
  ) {
    self.rule = rule
    self.order = order
    self.tiebreak = tiebreak
  }

  private func sorted(_ items: [ItemType]) -> [ItemType] {
    guard let order else { return items }
    return (tiebreak.map(order.then) ?? order).sorted(items)
  }
}

extension ArrangedItems where SectionType.DataType.UniqueIDType: Comparable {
  /// An empty list with its rules; what the order does not tell apart is ordered by its ids.
  ///
  /// So the order is total: the same items always come out alike, however they came in.
  public init(sections rule: SectionRule<SectionType>, order: SortRule<ItemType>? = nil) {
    self.init(sections: rule, order: order, tiebreak: SortRule(\.uniqueID))
  }
}

// MARK: - Changes

extension ArrangedItems {
  /// Replaces all items.
  ///
  /// - Parameters:
  ///   - items: The items wanted.
  ///   - alreadySorted: Whether they are to stay in the order in which they are given.
  /// - Returns: What changed in the sections.
  /// - Throws: `RuleError.duplicateItem`, `.notContiguous`.
  @discardableResult public mutating func setItems(
    _ items: [ItemType], alreadySorted: Bool = false
  ) throws(RuleError) -> Delta {
    var next = self
    next.items = alreadySorted ? items : sorted(items)
    next.sections = try rule.sections(of: next.items)
    do {
      let delta = try Delta(from: sections, to: next.sections)
      self = next
      return delta
    } catch {
      throw .duplicateItem(error.id)
    }
  }

  /// Brings the items into the order again, or into another one.
  ///
  /// - Returns: What changed: nothing but moves, unless the order decides on the sections.
  /// - Throws: `RuleError.notContiguous` when the order tears a section apart.
  @discardableResult
  public mutating func resort(by order: SortRule<ItemType>? = nil) throws(RuleError) -> Delta {
    var next = self
    next.order = order ?? self.order
    let delta = try next.setItems(items)
    self = next
    return delta
  }

  /// Puts items in the places of those with their ids or adds them, and takes others away.
  ///
  /// An id that is to be put in and to be deleted is deleted; an unknown one to be deleted is
  /// ignored. Items are brought into order only if any were put in.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `RuleError.notContiguous`.
  @discardableResult public mutating func update(
    upsert: [ItemType] = [], delete: [ItemID] = []
  ) throws(RuleError) -> Delta {
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
    let gone = Set(delete)
    if !gone.isEmpty { next.removeAll { gone.contains($0.uniqueID) } }
    return try setItems(next, alreadySorted: upsert.isEmpty)
  }

  /// Deletes the item at a place; the order is left as it is.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `RuleError.noSuchPlace`, and `.notContiguous` when the item held sections apart.
  @discardableResult
  public mutating func remove(section: Int, item: Int) throws(RuleError) -> Delta {
    let index = try index(section: section, item: item)
    return try edit { $0.remove(at: index) }
  }

  /// Moves an item to the place that another one has; the order is left as it is.
  ///
  /// The next change that brings the items into order undoes it.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - other: The item whose place it takes; those between make room.
  /// - Returns: What changed in the sections.
  /// - Throws: `RuleError.unknownItem`, and `.notContiguous` when the place is in another section.
  @discardableResult
  public mutating func move(_ id: ItemID, toPlaceOf other: ItemID) throws(RuleError) -> Delta {
    let (source, target) = (try index(of: id), try index(of: other))
    return try edit { $0.insert($0.remove(at: source), at: target) }
  }

  /// Exchanges the places of two items; the order is left as it is.
  ///
  /// - Returns: What changed in the sections.
  /// - Throws: `RuleError.unknownItem`, and `.notContiguous` when they are in different sections.
  @discardableResult
  public mutating func swap(_ first: ItemID, _ second: ItemID) throws(RuleError) -> Delta {
    let (one, other) = (try index(of: first), try index(of: second))
    return try edit { $0.swapAt(one, other) }
  }

  private mutating func edit(
    _ body: (inout [ItemType]) -> Void
  ) throws(RuleError) -> Delta {
    var next = items
    body(&next)
    return try setItems(next, alreadySorted: true)
  }
}
