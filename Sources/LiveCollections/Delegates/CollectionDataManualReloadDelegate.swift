public import DeltaEngine

/// Shows new content of items itself, in place of a reload: for cells that hold collections.
public protocol CollectionDataManualReloadDelegate: AnyObject, Sendable {
  /// Whether the delegate shows the item's new content itself.
  ///
  /// Asked once for each item whose content differs, before the view gets a batch.
  ///
  /// - Parameter paths: The item's places in the content before and after the update, in the view's
  ///   section numbers.
  /// - Returns: `true` to have the place passed to `reloadItems(at:itemCompletion:)`.
  func willHandleReload(at paths: ItemPathPair) -> Bool

  /// Shows the new content of the items that the delegate said it would.
  ///
  /// Called once, after the last batch: the content after the update is in place. The update is
  /// complete when `itemCompletion` was called for each place; calls for others are ignored. Releasing
  /// it without calling it completes all places.
  ///
  /// - Parameters:
  ///   - paths: The items' places, in the view's section numbers; ascending.
  ///   - itemCompletion: To be called for each place when its item shows its new content, from any
  ///     thread.
  func reloadItems(
    at paths: [ItemPath<Target>],
    itemCompletion: @escaping @Sendable (ItemPath<Target>) -> Void)
}
