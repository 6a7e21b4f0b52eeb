/// Is notified of deleted items.
@MainActor public protocol CollectionDataDeletionNotificationDelegate<DataType>: AnyObject, Sendable
{
  /// The type of the items.
  associatedtype DataType: UniquelyIdentifiable

  /// Called after an update and its completions, with the items whose ids are no longer in the
  /// collection; not with those that moved to another section.
  func didDeleteItems(_ items: [DataType])
}

/// Is notified when a collection calculates.
@MainActor public protocol CollectionDataCalculationNotificationDelegate: AnyObject, Sendable {
  /// Called when an update starts while none was under way.
  func collectionDataDidBeginCalculating()

  /// Called when the last queued update has been shown.
  func collectionDataDidEndCalculating()

  /// Called for each update that is rejected, before its completion.
  func collectionDataDidReject(_ error: UpdateError)
}

extension CollectionDataCalculationNotificationDelegate {
  /// Does nothing.
  public func collectionDataDidReject(_ error: UpdateError) {}
}

/// Tells whether a recycled view still shows a collection.
@MainActor public protocol CollectionDataReusableViewVerificationDelegate: AnyObject, Sendable {
  /// Whether the view shows the calling collection; called before each batch.
  ///
  /// If not, the rest of the update changes the content only.
  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool
}
