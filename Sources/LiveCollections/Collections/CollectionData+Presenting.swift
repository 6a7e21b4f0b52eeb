// Where and how the collection is shown. Every setting can be set at any time, in any order; an
// update that is under way goes on as it began.

extension CollectionData {
  /// The view that shows the collection, held weakly; it is reloaded once when it is set.
  public var view: (any DeltaUpdatableView)? {
    get { pipeline.settings.view }
    set { pipeline.setView(newValue) }
  }

  /// The section of the view that shows the collection.
  public var section: Int {
    get { pipeline.settings.section }
    set { pipeline.withSettings { $0.section = newValue } }
  }

  /// What shows this collection's updates together with those of others.
  public var synchronizer: CollectionDataSynchronizer? {
    get { pipeline.settings.synchronizer }
    set { pipeline.withSettings { $0.synchronizer = newValue } }
  }

  /// With more items than this before or after an update, the section is reloaded.
  ///
  /// No delta is calculated then. 10,000 unless set; does not count for `append`.
  public var dataCountAnimationThreshold: Int {
    get { pipeline.settings.dataCountAnimationThreshold }
    set { pipeline.withSettings { $0.dataCountAnimationThreshold = newValue } }
  }

  /// With more changes than this, the section is reloaded; 10,000 unless set.
  public var deltaCountAnimationThreshold: Int {
    get { pipeline.settings.deltaCountAnimationThreshold }
    set { pipeline.withSettings { $0.deltaCountAnimationThreshold = newValue } }
  }

  /// The animations of the collection's rows, for a table.
  public var rowAnimations: TableViewAnimationModel {
    get { pipeline.settings.standardAnimations.rows }
    set { pipeline.withSettings { $0.standardAnimations.rows = newValue } }
  }

  /// The animation of the collection's section when it is reloaded, for a table.
  public var sectionReloadAnimation: TableViewAnimation {
    get { pipeline.settings.standardAnimations.section.reloadAnimation }
    set { pipeline.withSettings { $0.standardAnimations.section.reloadAnimation = newValue } }
  }

  /// Decides how updates are shown; held weakly.
  public var animationDelegate: (any CollectionDataAnimationDelegate)? {
    get { pipeline.settings.animationDelegate }
    set { pipeline.withSettings { $0.animationDelegate = newValue } }
  }

  /// Reloads some items itself; held weakly.
  public var reloadDelegate: (any CollectionDataManualReloadDelegate)? {
    get { pipeline.settings.reloadDelegate }
    set { pipeline.withSettings { $0.reloadDelegate = newValue } }
  }

  /// Hears when the collection is at work; held weakly.
  public var calculationDelegate: (any CollectionDataCalculationNotificationDelegate)? {
    get { pipeline.settings.calculationDelegate }
    set { pipeline.withSettings { $0.calculationDelegate = newValue } }
  }

  /// Knows whether a recycled view still shows the collection; held weakly.
  public var validationDelegate: (any CollectionDataReusableViewVerificationDelegate)? {
    get { pipeline.settings.verificationDelegate }
    set { pipeline.withSettings { $0.verificationDelegate = newValue } }
  }

  /// Hears of items that are gone; held weakly.
  public var deletionDelegate: (any CollectionDataDeletionNotificationDelegate<ItemType>)?
  {
    get { pipeline.settings.deletionDelegate }
    set { pipeline.withSettings { $0.deletionDelegate = newValue } }
  }
}
