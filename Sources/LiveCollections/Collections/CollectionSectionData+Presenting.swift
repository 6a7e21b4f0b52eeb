// How the collection is shown. Every setting can be set at any time, in any order; an update that
// is under way goes on as it began.

extension CollectionSectionData {
  /// The view that shows the collection, held weakly; it is reloaded once when it is set.
  public var view: (any SectionDeltaUpdatableView)? {
    get { pipeline.settings.view as? any SectionDeltaUpdatableView }
    set { pipeline.setView(newValue) }
  }

  /// With more items than this before or after an update, the view reloads everything.
  ///
  /// No delta is calculated then. 10,000 unless set; does not count for `append`.
  public var dataCountAnimationThreshold: Int {
    get { pipeline.settings.dataCountAnimationThreshold }
    set { pipeline.withSettings { $0.dataCountAnimationThreshold = newValue } }
  }

  /// With more changes than this, the view reloads everything; 10,000 unless set.
  public var deltaCountAnimationThreshold: Int {
    get { pipeline.settings.deltaCountAnimationThreshold }
    set { pipeline.withSettings { $0.deltaCountAnimationThreshold = newValue } }
  }

  /// Whether sections without items are left out of what updates bring; false unless set.
  public var dropsEmptySections: Bool {
    get { pipeline.settings.dropsEmptySections }
    set { pipeline.withSettings { $0.dropsEmptySections = newValue } }
  }

  /// Decides how updates are shown; held weakly.
  public var animationDelegate: (any CollectionSectionDataAnimationDelegate)? {
    get { pipeline.settings.animationDelegate as? any CollectionSectionDataAnimationDelegate }
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
  public var deletionDelegate:
    (any CollectionDataDeletionNotificationDelegate<SectionType.DataType>)?
  {
    get { pipeline.settings.deletionDelegate }
    set { pipeline.withSettings { $0.deletionDelegate = newValue } }
  }
}

extension CollectionSectionData where SectionType.UniqueIDType: Sendable {
  /// Sets the animations of rows and sections, for a table.
  public func setAnimations(_ animations: TableViewAnimations<SectionType.UniqueIDType>) {
    pipeline.withSettings { settings in
      settings.standardAnimations = animations.standard
      settings.specialAnimations = { animations.special($0.map(\.uniqueID)) }
    }
  }
}
