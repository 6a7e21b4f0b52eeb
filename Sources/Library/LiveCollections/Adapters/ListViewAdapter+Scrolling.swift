#if canImport(UIKit) && !os(watchOS) || canImport(AppKit)
  import Foundation

  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension ListViewAdapter: ScrollingListView {
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
        view.layOut()
        guard let frame = view.frame(at: IndexPath(indexes: [row.section, row.item])),
          view.scroll(toTop: frame.minY - CGFloat(row.offset))
        else { return }
      }
    }

    /// Scrolls to the end of the list.
    public func scrollToEnd() {
      guard let view = scrolled else { return }
      view.layOut()
      _ = view.scroll(toTop: nil)
    }
  }

  /// A table view or a collection view whose first visible row can be kept in its place.
  @MainActor protocol ScrolledPlatformView: PlatformView {
    /// The places of the rows on screen.
    var visiblePaths: [IndexPath] { get }
    /// Where a row is in the content; `nil` if that is not known.
    func frame(at path: IndexPath) -> CGRect?
    /// The top of what is visible, in the content.
    var visibleTop: CGFloat { get }
    /// Lays out what has changed.
    func layOut()
    /// Scrolls as far as the content goes; `nil` for its end.
    ///
    /// - Returns: Whether that is elsewhere.
    func scroll(toTop top: CGFloat?) -> Bool
  }

  #if canImport(UIKit)
    extension UIScrollView {
      var visibleTop: CGFloat { contentOffset.y + adjustedContentInset.top }

      func layOut() { layoutIfNeeded() }

      func scroll(toTop top: CGFloat?) -> Bool {
        let inset = adjustedContentInset
        let highest = contentSize.height + inset.bottom - bounds.height
        var y = max(-inset.top, min(top.map { $0 - inset.top } ?? highest, highest))
        // A finger may pull the list beyond its ends.
        if isTracking, let top { y = top - inset.top }
        if y == contentOffset.y { return false }
        contentOffset.y = y
        return true
      }
    }

    extension UITableView: ScrolledPlatformView {
      var visiblePaths: [IndexPath] { indexPathsForVisibleRows ?? [] }

      func frame(at path: IndexPath) -> CGRect? { rectForRow(at: path) }
    }

    extension UICollectionView: ScrolledPlatformView {
      var visiblePaths: [IndexPath] { indexPathsForVisibleItems }

      func frame(at path: IndexPath) -> CGRect? { layoutAttributesForItem(at: path)?.frame }
    }
  #else
    extension ScrolledPlatformView {
      var visibleTop: CGFloat { visibleRect.minY }

      func layOut() { layoutSubtreeIfNeeded() }

      func scroll(toTop top: CGFloat?) -> Bool {
        let old = visibleRect
        // The clip view around the list stops at its ends.
        scroll(CGPoint(x: old.minX, y: top ?? bounds.maxY))
        return visibleRect.minY != old.minY
      }
    }

    extension NSTableView: ScrolledPlatformView {
      var visiblePaths: [IndexPath] {
        let rows = rows(in: visibleRect)
        return (0..<rows.length).map { IndexPath(indexes: [0, rows.location + $0]) }
      }

      func frame(at path: IndexPath) -> CGRect? { rect(ofRow: path[1]) }
    }

    extension NSCollectionView: ScrolledPlatformView {
      var visiblePaths: [IndexPath] { Array(indexPathsForVisibleItems()) }

      func frame(at path: IndexPath) -> CGRect? { layoutAttributesForItem(at: path)?.frame }
    }
  #endif
#endif
