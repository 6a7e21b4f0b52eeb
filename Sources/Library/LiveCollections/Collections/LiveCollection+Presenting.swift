// How the collection is shown. Settings can be changed at any time, in any order; an update that is
// under way keeps those that it started with.

extension LiveCollection {
  /// With more items than this before or after an update, the view is reloaded: of a list without
  /// sections its section, else everything.
  ///
  /// No delta is calculated then. 10,000 unless set; does not count for `append`.
  public var dataCountAnimationThreshold: Int {
    get { common.dataCountAnimationThreshold }
    set { change { $0.dataCountAnimationThreshold = newValue } }
  }

  /// With more changes than this, the view is reloaded likewise; 10,000 unless set.
  public var deltaCountAnimationThreshold: Int {
    get { common.deltaCountAnimationThreshold }
    set { change { $0.deltaCountAnimationThreshold = newValue } }
  }

  /// How items with a new content are shown: in another cell unless set.
  ///
  /// `reload` and `reconfigure` choose for the items that they name.
  public var itemReloadStyle: ItemReloadStyle {
    get { common.itemReloadStyle }
    set { change { $0.itemReloadStyle = newValue } }
  }

  /// Whether the first visible row stays where it is on screen while others come and go above it; false unless set.
  ///
  /// It holds for each batch and each reload of a view that is a `ScrollingListView`, as the adapters are.
  /// Scrolled to its beginning, the list shows what comes there. If the row is deleted, the next one that stays takes
  /// its place.
  public var keepsScrollPosition: Bool {
    get { common.keepsScrollPosition }
    set { change { $0.keepsScrollPosition = newValue } }
  }

  /// What shows this collection's updates together with those of others; sections that are a
  /// collection's own are in a view of their own.
  public var synchronizer: CollectionDataSynchronizer? {
    get { common.synchronizer }
    set { change { $0.synchronizer = newValue } }
  }

  /// Reloads some items itself; held weakly.
  public var reloadDelegate: (any CollectionDataManualReloadDelegate)? {
    get { common.reloadDelegate }
    set { change { $0.reloadDelegate = newValue } }
  }

  /// Is notified when the collection calculates; held weakly.
  public var calculationDelegate: (any CollectionDataCalculationNotificationDelegate)? {
    get { common.calculationDelegate }
    set { change { $0.calculationDelegate = newValue } }
  }

  /// Knows whether a recycled view still shows the collection; held weakly.
  public var validationDelegate: (any CollectionDataReusableViewVerificationDelegate)? {
    get { common.verificationDelegate }
    set { change { $0.verificationDelegate = newValue } }
  }

  private var common: CommonSettings { core.pipeline.commonSettings }

  private func change(_ body: @Sendable (inout CommonSettings) -> Void) {
    core.pipeline.changeCommonSettings(body)
  }
}
