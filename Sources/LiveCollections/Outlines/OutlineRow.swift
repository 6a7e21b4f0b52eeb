/// A row of an outline, as a flat list shows it.
///
/// A row is reloaded when its item, its level, or what its disclosure shows changes.
public struct OutlineRow<ItemType: UniquelyIdentifiable>: UniquelyIdentifiable {
  /// The item.
  public var item: ItemType
  /// How deep it is; 0 for a root.
  public var level: Int
  /// Whether it has children.
  public var hasChildren: Bool
  /// Whether its children are shown.
  public var isExpanded: Bool

  /// The item's id.
  public var uniqueID: ItemType.UniqueIDType { item.uniqueID }
}

extension OutlineRow: Sendable where ItemType: Sendable {}
