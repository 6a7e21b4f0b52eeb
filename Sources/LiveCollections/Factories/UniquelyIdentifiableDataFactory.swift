/// Builds what a collection holds from raw data and from what it knows beside.
///
/// What differs after building is reloaded, so that the same raw data can lead to reloads: of movies
/// whose being in theaters has changed, say.
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

  /// Where to build; the calculation queue if `nil`.
  ///
  /// Only the collection's first content is built where the collection is made.
  var buildQueue: WorkQueue? { get }
}

extension UniquelyIdentifiableDataFactory {
  /// Does nothing.
  public func didBeginBuildingData() {}

  /// Does nothing.
  public func didEndBuildingData() {}

  /// The calculation queue.
  public var buildQueue: WorkQueue? { nil }
}
