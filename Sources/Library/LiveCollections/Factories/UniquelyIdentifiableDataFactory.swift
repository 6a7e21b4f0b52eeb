/// Builds the items or sections of a collection from raw data and other state.
///
/// Built values that differ are reloaded, also where the raw data is the same: as when a movie,
/// built with a flag for being in theaters, no longer is.
public protocol UniquelyIdentifiableDataFactory: Sendable {
  /// The type of the raw data.
  associatedtype RawType

  /// The type that is built: items, or sections.
  associatedtype UniquelyIdentifiableType: UniquelyIdentifiable
  where UniquelyIdentifiableType.RawType == RawType

  /// Builds one datum.
  func buildUniquelyIdentifiableDatum(_ rawData: RawType) -> UniquelyIdentifiableType

  /// Called before a whole array is built.
  func didBeginBuildingData()

  /// Called after a whole array was built.
  func didEndBuildingData()

  /// The type of the queue: `WorkQueue`, or `DispatchQueue`.
  associatedtype BuildQueue: FactoryQueue = WorkQueue

  /// Where to build; the calculation queue if `nil`.
  ///
  /// Only the collection's first content is built where the collection is made.
  var buildQueue: BuildQueue? { get }
}

extension UniquelyIdentifiableDataFactory {
  /// Does nothing.
  public func didBeginBuildingData() {}

  /// Does nothing.
  public func didEndBuildingData() {}

}

extension UniquelyIdentifiableDataFactory where BuildQueue == WorkQueue {
  /// The calculation queue.
  public var buildQueue: WorkQueue? { nil }
}
