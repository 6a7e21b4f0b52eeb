/// How a view shows the new content of an item.
public enum ItemReloadStyle: Hashable, Codable, Sendable {
  /// In another cell, animated as reloads are.
  case reload

  /// In the cell that the item has, without animation.
  ///
  /// The data source is asked for the cell again and must return the one that it dequeues, of the
  /// same kind as before. Views that cannot do this reload.
  case reconfigure

  /// The style of an item that two callers want shown again: a reload covers both.
  func combined(with other: ItemReloadStyle) -> ItemReloadStyle { self == other ? self : .reload }
}
