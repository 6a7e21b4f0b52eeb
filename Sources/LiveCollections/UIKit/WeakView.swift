#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  import UIKit

  /// A view that is held weakly, for adapters that are used on the main queue only.
  @MainActor final class WeakView<View: UIView> {
    private(set) weak var view: View?

    init(_ view: View) { self.view = view }
  }

  /// The adapters of views that are shown somewhere: one for each view, so that collections which
  /// share a view share its adapter, and a synchronizer sees that they do.
  @MainActor struct SharedAdapters<View: UIView, Adapter: AnyObject> {
    private struct Entry {
      weak var view: View?
      weak var adapter: Adapter?
    }

    private var entries: [Entry] = []

    init() {}

    /// The view's adapter, made if there is none.
    mutating func adapter(of view: View, _ make: (View) -> Adapter) -> Adapter {
      entries.removeAll { $0.view == nil || $0.adapter == nil }
      if let known = entries.first(where: { $0.view === view })?.adapter { return known }
      let adapter = make(view)
      entries.append(Entry(view: view, adapter: adapter))
      return adapter
    }
  }

  extension IndexPath {
    /// UIKit's own form of a place.
    init<Space>(_ path: ItemPath<Space>) { self.init(item: path.item, section: path.section) }
  }
#endif
