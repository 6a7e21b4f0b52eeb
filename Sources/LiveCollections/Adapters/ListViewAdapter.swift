#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Foundation

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  /// What a `ListViewAdapter` needs of a table view or a collection view.
  @MainActor public protocol AdaptableListView: PlatformView {
    /// Whether the view has a data source.
    var hasDataSource: Bool { get }
    /// The number of sections that the view shows.
    var numberOfSections: Int { get }
    /// Shows the content of the data source without animation.
    func reloadData()
    /// Performs a batch.
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
  public final class ListViewAdapter<View: AdaptableListView>: SectionDeltaUpdatableView,
    DeltaUpdatableViewAdapter
  {
    private(set) weak var view: View?

    /// An adapter for a view, which it holds weakly.
    public init(_ view: View) { self.view = view }

    /// The adapter of a view, the same for all collections that the view shows, so that a
    /// synchronizer knows that they share it.
    public static func adapter(of view: View) -> ListViewAdapter {
      sharedAdapters.removeAll { $0.view == nil || $0.adapter == nil }
      let known = sharedAdapters.first { $0.view === view }?.adapter
      if let known = known as? ListViewAdapter { return known }
      let adapter = ListViewAdapter(view)
      sharedAdapters.append(SharedAdapter(view: view, adapter: adapter))
      return adapter
    }

    /// Whether the view is on screen and has a size and a data source.
    public var canPerformBatches: Bool {
      guard let view else { return false }
      return view.window != nil && !view.bounds.isEmpty && view.hasDataSource
    }

    /// The number of sections that the view shows.
    public var sectionCount: Int { view?.numberOfSections ?? 0 }

    /// Reloads the view.
    public func reloadData() { view?.reloadData() }

    /// Performs a batch.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      if let view { return view.perform(batch, completion: completion) }
      batch.applyContent()
      completion(true)
    }
  }

  #if canImport(UIKit)
    extension ListViewAdapter: ScrollingListView where View: ScrolledPlatformView {
      /// The first row on screen, and where it is.
      public var topRow: ScrolledRow? {
        guard let view, let path = view.visiblePaths.min(), let frame = view.frame(at: path)
        else { return nil }
        return ScrolledRow(
          section: path[0], item: path[1], offset: Double(frame.minY - view.visibleTop))
      }

      /// Scrolls so that a row is where it is said to be.
      public func scroll(to row: ScrolledRow) {
        guard let view else { return }
        view.layoutIfNeeded()
        if let frame = view.frame(at: IndexPath(indexes: [row.section, row.item])) {
          scroll(toTop: frame.minY - CGFloat(row.offset))
        }
      }

      /// Scrolls to the end of the list.
      public func scrollToEnd() {
        view?.layoutIfNeeded()
        scroll(toTop: .greatestFiniteMagnitude)
      }

      private func scroll(toTop top: CGFloat) {
        guard let view else { return }
        let inset = view.adjustedContentInset
        let highest = view.contentSize.height + inset.bottom - view.bounds.height
        let y = max(-inset.top, min(top - inset.top, highest))
        if y != view.contentOffset.y { view.contentOffset.y = y }
      }
    }

    /// What is asked of a table view or a collection view so that its first visible row keeps its place.
    @MainActor public protocol ScrolledPlatformView: UIScrollView {
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
      public var visiblePaths: [IndexPath] { indexPathsForVisibleRows ?? [] }
      /// Where a row is in the content.
      public func frame(at path: IndexPath) -> CGRect? { rectForRow(at: path) }
    }

    extension UICollectionView: ScrolledPlatformView {
      /// The places of the items on screen.
      public var visiblePaths: [IndexPath] { indexPathsForVisibleItems }
      /// Where an item is in the content.
      public func frame(at path: IndexPath) -> CGRect? {
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
