/// A flat list that is edited by ids.
///
/// Each edit either does all that it says, or throws and changes nothing. Ids are unique.
///
/// ```swift
/// data.edit { items in
///   try items.insert([song], at: .after("intro"))
///   try items.move("finale", to: .last)
/// }
/// ```
public struct EditableItems<ItemType: UniquelyIdentifiable> {
  /// The type of the ids.
  public typealias ID = ItemType.UniqueIDType

  /// The items as the only section of a list.
  var list: EditableSections<OnlySection<ItemType>>

  /// A list of these items.
  ///
  /// - Throws: `EditError.duplicateItem` when an id occurs twice.
  public init(_ items: [ItemType] = []) throws(EditError) {
    list = try EditableSections([OnlySection(items: items)])
  }

  /// A list of items whose ids are known to be unique.
  init(unchecked items: [ItemType]) {
    list = EditableSections(unchecked: [OnlySection(items: items)])
  }

  /// The items, in order.
  public var items: [ItemType] { list.sections[0].items }

  /// Whether there is an item with this id.
  public func contains(_ id: ID) -> Bool { list.containsItem(id) }

  /// The index of an item, if it is there.
  ///
  /// - Complexity: O(n).
  public func index(of id: ID) -> Int? { list.place(ofItem: id)?.item }

  /// The item with an id, if it is there.
  public subscript(id: ID) -> ItemType? { list.item(id) }
}

extension EditableItems {
  /// Inserts items, in their order.
  ///
  /// - Throws: `EditError.duplicateItem`, and `.indexOutOfRange`, `.unknownItem` or
  ///   `.unknownSection` for the position.
  public mutating func insert(
    _ new: [ItemType], at position: ListPosition<ID>
  ) throws(EditError) {
    try list.insertItems(new, at: position.inOnlySection)
  }

  /// Deletes items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    try list.deleteItems(ids)
  }

  /// Deletes all items.
  public mutating func deleteAll() {
    list.sections[0].items = []
    list.homes = [:]
  }

  /// Moves an item.
  ///
  /// - Throws: `EditError.unknownItem`, and `.indexOutOfRange`, `.unknownItem` or
  ///   `.unknownSection` for the position.
  public mutating func move(_ id: ID, to position: ListPosition<ID>) throws(EditError) {
    try list.moveItem(id, to: position.inOnlySection)
  }

  /// Replaces the item with the same id.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func update(_ item: ItemType) throws(EditError) { try list.updateItem(item) }

  /// Replaces the items with the same ids, and inserts the others at a position.
  ///
  /// - Throws: `EditError.duplicateItem` when two of them have one id; `.indexOutOfRange`,
  ///   `.unknownItem` or `.unknownSection` for the position.
  public mutating func upsert(
    _ new: [ItemType], at position: ListPosition<ID> = .last
  ) throws(EditError) {
    try list.upsertItems(new, at: position.inOnlySection)
  }

  /// Exchanges the places of two items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func swap(_ first: ID, _ second: ID) throws(EditError) {
    try list.swapItems(first, second)
  }

  /// Reverses the order.
  public mutating func reverse() { list.sections[0].items.reverse() }

  /// Reloads items although they are equal.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reload(_ ids: some Sequence<ID>) throws(EditError) {
    try list.reloadItems(ids)
  }

  /// As `reload(_:)`, in the cells that the items have.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reconfigure(_ ids: some Sequence<ID>) throws(EditError) {
    try list.reconfigureItems(ids)
  }
}

extension EditableItems: Sendable where ItemType: Sendable, ID: Sendable {}

extension ListPosition {
  fileprivate var inOnlySection: ItemPosition<Int, ID> {
    switch self {
    case .first: .first(in: 0)
    case .last: .last(in: 0)
    case .at(let index): .at(index, in: 0)
    case .before(let id): .before(id)
    case .after(let id): .after(id)
    }
  }
}
