#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  import UIKit

  /// A view that is held weakly, for adapters that are used on the main queue only.
  @MainActor final class WeakView<View: UIView> {
    private(set) weak var view: View?

    init(_ view: View) { self.view = view }
  }

  extension IndexPath {
    /// UIKit's own form of a place.
    init<Space>(_ path: ItemPath<Space>) { self.init(item: path.item, section: path.section) }
  }
#endif
