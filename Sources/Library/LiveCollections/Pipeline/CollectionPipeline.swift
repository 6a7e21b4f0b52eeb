public import DeltaEngine

/// A pipeline, whatever the shape of its content.
protocol CollectionPipeline<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  var store: ContentStore<Element> { get }
  var diff: ContentDiff<Element> { get }
  var wanted: [Element]? { get }
  var isBusy: Bool { get }
  var commonSettings: CommonSettings { get }

  func changeCommonSettings(_ body: @Sendable (inout CommonSettings) -> Void)
  func finished(_ content: [Element]) -> [Element]
  func commit(_ prepared: PreparedUpdate<Element>, isAnimated: Bool) -> CommitAnswer
  func add(
    _ change: Operation<Element>.Change, ignoresDataCount: Bool, isAnimated: Bool,
    completion: UpdateCompletion?
  ) -> Int
  func calculateDelta(
    _ content: @escaping @Sendable ([Element]) -> [Element],
    completion: @escaping @MainActor @Sendable (Result<Delta, DuplicateIdentifier>) -> Void)
}

/// The outcome of an update that is to be applied at once.
enum CommitAnswer: Sendable {
  case done
  /// The content changed since the update was prepared.
  case stale
  /// An update is under way.
  case busy
}

/// As `LiveCollection.delta(from:to:uniqueness:)`; a typed error could not be stored before iOS 18.
@usableFromInline typealias ContentDiff<Element> =
  @Sendable (
    _ source: [Element], _ target: [Element], Uniqueness
  ) -> Result<Delta, DuplicateIdentifier>
