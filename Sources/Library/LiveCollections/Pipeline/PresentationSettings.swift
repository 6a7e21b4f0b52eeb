/// The view, delegates and preferences of a collection.
struct PresentationSettings<Shape: ContentShape>: Sendable {
  /// The settings that collections of both shapes have.
  var common = CommonSettings()
  /// The section of the view that a flat collection is shown in.
  var section = 0
  /// Whether sections without items are left out.
  var dropsEmptySections = false
  /// The animations of sections without their own.
  var standardAnimations = BatchAnimations.OfSection()
  /// The animations of sections with their own, by index.
  var specialAnimations:
    @Sendable (_ content: [Shape.Element]) -> [Int: BatchAnimations.OfSection] = { _ in [:] }

  weak var view: (any DeltaUpdatableView)?
  /// The view, if it is an adapter.
  var adapter: (any DeltaUpdatableViewAdapter)?
  /// Whether the view was not reloaded yet.
  var isViewStale = false
  weak var animationDelegate: (any CollectionDataAnimationDelegate)?
  weak var deletionDelegate: (any CollectionDataDeletionNotificationDelegate<Shape.Item>)?
}

/// The settings that collections of both shapes have.
struct CommonSettings: Sendable {
  /// With more items than this before or after an update, no delta is calculated.
  var dataCountAnimationThreshold = 10_000
  /// With more changes than this, they are not shown one by one.
  var deltaCountAnimationThreshold = 10_000
  /// How items with a new content are shown.
  var itemReloadStyle = ItemReloadStyle.reload
  /// Whether the first visible row stays where it is.
  var keepsScrollPosition = false
  var synchronizer: CollectionDataSynchronizer?

  weak var reloadDelegate: (any CollectionDataManualReloadDelegate)?
  weak var calculationDelegate: (any CollectionDataCalculationNotificationDelegate)?
  weak var verificationDelegate: (any CollectionDataReusableViewVerificationDelegate)?
}
