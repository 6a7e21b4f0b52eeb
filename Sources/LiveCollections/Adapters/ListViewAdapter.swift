#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Foundation

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  /// What a `ListViewAdapter` needs of a table view or a collection view.
  ///
  /// Internal, as all protocols that views of the system conform to: an app's own views get no member from it.
  @MainActor protocol AdaptableListView: PlatformView {
    var hasDataSource: Bool { get }
    /// The number of sections that the view shows.
    var numberOfSections: Int { get }
    /// Shows the content of the data source without animation.
    func reloadData()
    func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void)
  }

  /// A table view as the view of a collection; one of AppKit shows items without sections.
  public typealias TableViewAdapter = ListViewAdapter<PlatformTableView>

  /// A collection view as the view of a collection; the layout decides on animations.
  public typealias CollectionViewAdapter = ListViewAdapter<PlatformCollectionView>

  /// A table view or collection view as the view of a collection.
  ///
  /// ```swift
  /// data.setTableView(tableView)
  /// ```
  public final class ListViewAdapter<View: PlatformView>: SectionDeltaUpdatableView,
    DeltaUpdatableViewAdapter
  {
    /// Shows the header of a section again, if it is on screen.
    public typealias HeaderUpdate = @MainActor (_ view: View, _ section: Int) -> Void

    private(set) weak var view: View?
    /// Shows a header that changed; `nil` to reload its section, with all cells.
    public var headerUpdate: HeaderUpdate?
    private var list: (any AdaptableListView)? { view as? any AdaptableListView }

    private init(of view: View) { self.view = view }

    /// Whether the view is on screen and has a size and a data source.
    public var canPerformBatches: Bool {
      guard let list else { return false }
      return list.window != nil && !list.bounds.isEmpty && list.hasDataSource
    }

    /// Whether there is a `headerUpdate`.
    public var updatesHeaders: Bool { headerUpdate != nil }

    /// The number of sections that the view shows.
    public var sectionCount: Int { list?.numberOfSections ?? 0 }

    /// Reloads the view.
    public func reloadData() { list?.reloadData() }

    /// Performs a batch.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      guard let view, let list else {
        batch.applyContent()
        return completion(true)
      }
      list.perform(batch, completion: completion)
      for section in batch.step.headers { headerUpdate?(view, section.index) }
    }

    private static func shared(of view: View) -> ListViewAdapter {
      sharedAdapters.removeAll { $0.view == nil || $0.adapter == nil }
      let known = sharedAdapters.first { $0.view === view }?.adapter
      if let known = known as? ListViewAdapter { return known }
      let adapter = ListViewAdapter(of: view)
      sharedAdapters.append(SharedAdapter(view: view, adapter: adapter))
      return adapter
    }
  }

  extension ListViewAdapter where View == PlatformTableView {
    /// An adapter for a table view, which it holds weakly.
    public convenience init(_ view: View) { self.init(of: view) }

    /// The adapter of a table view, the same for all collections that the view shows, so that a
    /// synchronizer knows that they share it.
    public static func adapter(of view: View) -> ListViewAdapter { shared(of: view) }
  }

  extension ListViewAdapter where View == PlatformCollectionView {
    /// An adapter for a collection view, which it holds weakly.
    public convenience init(_ view: View) { self.init(of: view) }

    /// The adapter of a collection view, the same for all collections that the view shows, so that a
    /// synchronizer knows that they share it.
    public static func adapter(of view: View) -> ListViewAdapter { shared(of: view) }
  }

  #if canImport(UIKit)
    extension ListViewAdapter: ScrollingListView where View: UIScrollView {
      private var scrolled: (any ScrolledPlatformView)? { view as? any ScrolledPlatformView }

      /// The first row on screen, and where it is.
      public var topRow: ScrolledRow? {
        guard let view = scrolled, let path = view.visiblePaths.min(),
          let frame = view.frame(at: path)
        else { return nil }
        return ScrolledRow(
          section: path[0], item: path[1], offset: Double(frame.minY - view.visibleTop))
      }

      /// Scrolls so that a row is where it is said to be.
      public func scroll(to row: ScrolledRow) {
        guard let view = scrolled else { return }
        // Rows that come on screen get their heights in place of estimates, and the row is elsewhere then.
        for _ in 0..<4 {
          view.layoutIfNeeded()
          guard let frame = view.frame(at: IndexPath(indexes: [row.section, row.item])),
            scroll(toTop: frame.minY - CGFloat(row.offset))
          else { return }
        }
      }

      /// Scrolls to the end of the list.
      public func scrollToEnd() {
        view?.layoutIfNeeded()
        _ = scroll(toTop: .greatestFiniteMagnitude)
      }

      /// Returns whether that is elsewhere.
      private func scroll(toTop top: CGFloat) -> Bool {
        guard let view else { return false }
        let inset = view.adjustedContentInset
        let highest = view.contentSize.height + inset.bottom - view.bounds.height
        var y = max(-inset.top, min(top - inset.top, highest))
        // A finger may pull the list beyond its ends.
        if view.isTracking && top < .greatestFiniteMagnitude { y = top - inset.top }
        if y == view.contentOffset.y { return false }
        view.contentOffset.y = y
        return true
      }
    }

    /// What is asked of a table view or a collection view so that its first visible row keeps its place.
    @MainActor protocol ScrolledPlatformView: UIScrollView {
      /// The places of the rows on screen.
      var visiblePaths: [IndexPath] { get }
      /// Where a row is in the content; `nil` if that is not known.
      func frame(at path: IndexPath) -> CGRect?
    }

    extension UIScrollView {
      /// The top of what is visible, in the content.
      fileprivate var visibleTop: CGFloat { contentOffset.y + adjustedContentInset.top }
    }

    extension UITableView: ScrolledPlatformView {
      /// The places of the rows on screen.
      var visiblePaths: [IndexPath] { indexPathsForVisibleRows ?? [] }
      /// Where a row is in the content.
      func frame(at path: IndexPath) -> CGRect? { rectForRow(at: path) }
    }

    extension UICollectionView: ScrolledPlatformView {
      /// The places of the items on screen.
      var visiblePaths: [IndexPath] { indexPathsForVisibleItems }
      /// Where an item is in the content.
      func frame(at path: IndexPath) -> CGRect? {
        layoutAttributesForItem(at: path)?.frame
      }
    }
  #endif

  private struct SharedAdapter {
    weak var view: PlatformView?
    weak var adapter: AnyObject?
  }

  @MainActor private var sharedAdapters: [SharedAdapter] = []
#endif
