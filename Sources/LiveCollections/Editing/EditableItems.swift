/// A flat list that is edited by ids: strict, and all or nothing.
///
/// Each edit either does all that it says, or throws and changes nothing. An id never stands twice.
///
/// ```swift
/// data.edit { items throws(EditError) in
///   try items.insert([song], at: .after("intro"))
///   try items.move("finale", to: .last)
/// }
/// ```
public struct EditableItems<ItemType: UniquelyIdentifiable> {
  /// The type of the ids.
  public typealias ID = ItemType.UniqueIDType

  /// The items, in order.
  public private(set) var items: [ItemType]
  /// The ids of items that are to be drawn anew although they are equal.
  private(set) var reloads: Set<ID> = []
  private var ids: Set<ID>

  /// A list of these items.
  ///
  /// - Throws: `EditError.duplicateItem` when an id stands twice.
  public init(_ items: [ItemType] = []) throws(EditError) {
    self.init(unchecked: [])
    try insert(items, at: .last)
  }

  /// A list of items whose ids are known to be unique.
  init(unchecked items: [ItemType]) {
    self.items = items
    ids = Set(items.lazy.map(\.uniqueID))
  }

  /// Whether there is an item with this id.
  public func contains(_ id: ID) -> Bool { ids.contains(id) }

  /// The index of an item, if it is there.
  ///
  /// - Complexity: O(n).
  public func index(of id: ID) -> Int? {
    ids.contains(id) ? items.firstIndex { $0.uniqueID == id } : nil
  }

  /// The item with an id, if it is there.
  public subscript(id: ID) -> ItemType? { index(of: id).map { items[$0] } }
}

// MARK: - Edits

extension EditableItems {
  /// Inserts items, in their order.
  ///
  /// - Throws: `EditError.duplicateItem`, or that the position is not there.
  public mutating func insert(
    _ new: [ItemType], at position: ListPosition<ID>
  ) throws(EditError) {
    let index = try items.index(at: position, EditError.unknownItem, count: items.count)
    var added: Set<ID> = []
    for item in new where ids.contains(item.uniqueID) || !added.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
    ids.formUnion(added)
    items.insert(contentsOf: new, at: index)
  }

  /// Takes items away.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func remove(_ gone: some Sequence<ID>) throws(EditError) {
    let gone = Set(gone)
    for id in gone where !ids.contains(id) { throw .unknownItem("\(id)") }
    ids.subtract(gone)
    items.removeAll { gone.contains($0.uniqueID) }
  }

  /// Takes all items away.
  public mutating func removeAll() {
    items = []
    ids = []
  }

  /// Moves an item.
  ///
  /// - Throws: `EditError.unknownItem`, or that the position is not there, as beside itself.
  public mutating func move(_ id: ID, to position: ListPosition<ID>) throws(EditError) {
    guard let source = index(of: id) else { throw .unknownItem("\(id)") }
    var rest = items
    let item = rest.remove(at: source)
    rest.insert(item, at: try rest.index(at: position, EditError.unknownItem, count: rest.count))
    items = rest
  }

  /// Puts an item in the place of the one with its id.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func update(_ item: ItemType) throws(EditError) {
    guard let index = index(of: item.uniqueID) else { throw .unknownItem("\(item.uniqueID)") }
    items[index] = item
  }

  /// Puts items in the places of those with their ids, and inserts the others at a position.
  ///
  /// - Throws: `EditError.duplicateItem` when two of them have one id, or that the position is not
  ///   there.
  public mutating func upsert(
    _ new: [ItemType], at position: ListPosition<ID> = .last
  ) throws(EditError) {
    try new.checkUniqueness()
    var copy = self
    try copy.insert(new.filter { !contains($0.uniqueID) }, at: position)
    let known = Dictionary(
      new.filter { contains($0.uniqueID) }.map { ($0.uniqueID, $0) }, uniquingKeysWith: { $1 })
    if !known.isEmpty { copy.items = copy.items.map { known[$0.uniqueID] ?? $0 } }
    self = copy
  }

  /// Exchanges the places of two items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func swap(_ first: ID, _ second: ID) throws(EditError) {
    guard let one = index(of: first) else { throw .unknownItem("\(first)") }
    guard let other = index(of: second) else { throw .unknownItem("\(second)") }
    items.swapAt(one, other)
  }

  /// Turns the order around.
  public mutating func reverse() { items.reverse() }

  /// Has items drawn anew although they are equal.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reload(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids where !contains(id) { throw .unknownItem("\(id)") }
    reloads.formUnion(ids)
  }
}

extension Array where Element: UniquelyIdentifiable {
  /// Refuses items of which two have one id.
  func checkUniqueness() throws(EditError) {
    var ids: Set<Element.UniqueIDType> = []
    for item in self where !ids.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
  }

  /// The index that a position stands for: one of `0...count`.
  func index(
    at position: ListPosition<Element.UniqueIDType>, _ unknown: (String) -> EditError, count: Int
  ) throws(EditError) -> Int {
    switch position {
    case .first: return 0
    case .last: return count
    case .at(let index):
      guard (0...count).contains(index) else { throw .indexOutOfRange(index, max: count) }
      return index
    case .before(let id), .after(let id):
      guard let index = firstIndex(where: { $0.uniqueID == id }) else { throw unknown("\(id)") }
      if case .after = position { return index + 1 }
      return index
    }
  }
}
