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

  private struct SharedAdapter {
    weak var view: PlatformView?
    weak var adapter: AnyObject?
  }

  @MainActor private var sharedAdapters: [SharedAdapter] = []
#endif
