/// The options of every store that keeps contents.
public struct DurableStoreOptions: Sendable {
  /// The default limits of a collection's history.
  public var retention = Retention()
  /// The limits of collections' settings, including their history.
  public var settingsLimits = SettingsLimits()
  /// The most idempotency records retained for a collection.
  public var requestsMax = 1000
  /// How long idempotency records are retained, in seconds.
  public var requestSeconds: Int64 = 86_400
  /// The fewest bytes of changes that are worth a new image.
  ///
  /// The image of a larger collection is renewed when its changes exceed its size. Waiting for
  /// twice as many changes would save a quarter of the bytes written if everything changes, but
  /// loading and renewing might take the memory of three images instead of two; and nobody waits
  /// for an image in any case.
  public var changeBytesMin = 32 << 10
  /// The most changes since an image before it is renewed.
  public var changesMax = 256
  /// Whether it is recorded when collections were last used; if not, earlier records are dropped, and
  /// if so, collections without a record count as used when the store is opened.
  public var recordsUses = false
  /// Whether nothing in the store may be changed.
  public var isReadOnly = false
  /// Whether records of what is not to be recorded are dropped when the store is opened.
  public var dropsRecords = true
  /// Called with faults of background work.
  public var faults: FaultSink = { _ in }
  /// Returns the seconds since 1970.
  public var date: @Sendable () -> Int64 = { 0 }

  /// Creates options with the service's limits.
  public init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    retention = limits.retention
    settingsLimits = limits.settingsLimits
    requestsMax = limits.idempotencyKeysMax
    requestSeconds = limits.idempotencySeconds
    recordsUses = limits.unusedSecondsMax > 0
    date = time.date
  }

  /// Returns the options for copying a store to another one: nothing is dropped that a service with
  /// other limits keeps.
  ///
  /// - Parameter isSource: Whether the store is only read.
  /// - Returns: The options.
  public func forCopy(isSource: Bool) -> DurableStoreOptions {
    var options = self
    options.isReadOnly = isSource
    options.dropsRecords = false
    options.requestsMax = 1 << 40
    options.requestSeconds = 1 << 40
    return options
  }

  /// The date before which idempotency records have expired.
  package var oldestRequestDate: Int64 { date() - requestSeconds }

  /// Returns the value of background work; reports a failure as a fault.
  package func value<T>(_ result: Result<T, StoreError>, or text: String) -> T? {
    switch result {
    case .success(let value): return value
    case .failure(let error):
      faults(Fault(.storeUnavailable, "\(text): \(error.text)"))
      return nil
    }
  }
}
