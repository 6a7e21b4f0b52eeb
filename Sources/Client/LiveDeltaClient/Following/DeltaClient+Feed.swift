extension DeltaClient {
  /// Returns a feed of what a view shows of a collection.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - view: What is shown of it.
  ///   - options: How to follow it.
  /// - Returns: The feed. One in the app's own types is a ``CollectionFeed`` of an address with the view.
  public func feed(
    _ collection: CollectionAddress, view: CollectionView?, options: FeedOptions = FeedOptions()
  ) -> SyncFeed {
    var viewed = collection
    viewed.view = view
    return SyncFeed(self, [viewed], options: options)
  }
}
