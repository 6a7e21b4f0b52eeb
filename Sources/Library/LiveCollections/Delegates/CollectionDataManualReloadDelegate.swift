public import DeltaEngine

/// Shows the new content of items without a reload, as for cells that hold collections.
@MainActor public protocol CollectionDataManualReloadDelegate: AnyObject, Sendable {
  /// Whether the delegate shows the item's new content itself.
  ///
  /// Called once for each item whose content differs, before the first batch.
  ///
  /// - Parameter paths: The item's places in the content before and after the update, in the view's
  ///   section numbers.
  /// - Returns: `true` to get the place passed to `reloadItems(at:itemCompletion:)`.
  func willHandleReload(at paths: ItemPathPair) -> Bool

  /// Shows the new content of the items for which `willHandleReload(at:)` returned `true`.
  ///
  /// Called once, after the last batch, when the content is that after the update. The update
  /// completes when `itemCompletion` was called for each place; calls for others are ignored.
  /// Releasing it without calling it completes all places.
  ///
  /// - Parameters:
  ///   - paths: The items' places, in the view's section numbers; ascending.
  ///   - itemCompletion: To be called for each place when its item shows its new content, from any
  ///     thread.
  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void)
}
