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

  private struct SharedAdapter {
    weak var view: PlatformView?
    weak var adapter: AnyObject?
  }

  @MainActor private var sharedAdapters: [SharedAdapter] = []
#endif
