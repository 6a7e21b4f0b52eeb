/// What a collection was told about its view and those who want to know.
struct PresentationSettings<Shape: ContentShape>: Sendable {
  /// What collections of both shapes are told alike.
  var common = CommonSettings()
  /// The section of the view that a flat collection is shown in.
  var section = 0
  /// Whether sections without items are left out.
  var dropsEmptySections = false
  /// The animations of sections that are not told apart.
  var standardAnimations = BatchAnimations.OfSection()
  /// The animations of those that are, by index.
  var specialAnimations:
    @Sendable (_ content: [Shape.Element]) -> [Int: BatchAnimations.OfSection] = { _ in [:] }

  weak var view: (any DeltaUpdatableView)?
  /// The view, if the collection is the one that keeps it.
  var keptView: (any DeltaUpdatableView)?
  /// Whether the view was not yet told to show the content.
  var isViewStale = false
  var synchronizer: CollectionDataSynchronizer?
  weak var animationDelegate: (any CollectionDataAnimationDelegate)?
  weak var deletionDelegate: (any CollectionDataDeletionNotificationDelegate<Shape.Item>)?
}

/// What collections of both shapes are told alike.
struct CommonSettings: Sendable {
  /// With more items than this before or after an update, no delta is calculated.
  var dataCountAnimationThreshold = 10_000
  /// With more changes than this, they are not shown one by one.
  var deltaCountAnimationThreshold = 10_000

  weak var reloadDelegate: (any CollectionDataManualReloadDelegate)?
  weak var calculationDelegate: (any CollectionDataCalculationNotificationDelegate)?
  weak var verificationDelegate: (any CollectionDataReusableViewVerificationDelegate)?
}
