// Where and how the collection is shown. Settings can be changed at any time, in any order; an
// update that is under way keeps those that it started with.

extension CollectionData {
  /// The view that shows the collection, held weakly unless it is an adapter; it is reloaded once
  /// when it is set.
  public var view: (any DeltaUpdatableView)? {
    get { pipeline.settings.view }
    set { pipeline.setView(newValue) }
  }

  /// The section of the view that shows the collection.
  public var section: Int {
    get { pipeline.settings.section }
    set { pipeline.withSettings { $0.section = newValue } }
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

  /// Is notified of deleted items; held weakly.
  public var deletionDelegate: (any CollectionDataDeletionNotificationDelegate<ItemType>)?
  {
    get { pipeline.settings.deletionDelegate }
    set { pipeline.withSettings { $0.deletionDelegate = newValue } }
  }
}
