/// Hears of items that are gone.
public protocol CollectionDataDeletionNotificationDelegate<DataType>: AnyObject, Sendable {
  /// The type of the items.
  associatedtype DataType: UniquelyIdentifiable

  /// Told after an update, once its callers heard of it, of the items whose ids are no longer in
  /// the collection; never of ones that only left their section.
  func didDeleteItems(_ items: [DataType])
}

/// Hears when a collection is at work.
public protocol CollectionDataCalculationNotificationDelegate: AnyObject, Sendable {
  /// Told when an update starts while nothing was under way.
  func collectionDataDidBeginCalculating()

  /// Told when the last update of a row has been shown.
  func collectionDataDidEndCalculating()

  /// Told of each update that was rejected, before its caller is.
  func collectionDataDidReject(_ error: UpdateError)
}

extension CollectionDataCalculationNotificationDelegate {
  /// Does nothing.
  public func collectionDataDidReject(_ error: UpdateError) {}
}

/// Knows whether a recycled view still shows a collection.
public protocol CollectionDataReusableViewVerificationDelegate: AnyObject, Sendable {
  /// Whether the view shows the collection that asks; asked before each batch.
  ///
  /// If not, the update changes the content and leaves the view alone from then on.
  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool
}
