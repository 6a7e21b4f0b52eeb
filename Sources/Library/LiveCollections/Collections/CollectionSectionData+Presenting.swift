// How the collection is shown. Settings can be changed at any time, in any order; an update that is
// under way keeps those that it started with.

extension CollectionSectionData {
  /// The view that shows the collection, held weakly unless it is an adapter; it is reloaded once
  /// when it is set.
  public var view: (any SectionDeltaUpdatableView)? {
    get { pipeline.settings.view as? any SectionDeltaUpdatableView }
    set { pipeline.setView(newValue) }
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

  /// Is notified of deleted items; held weakly.
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
