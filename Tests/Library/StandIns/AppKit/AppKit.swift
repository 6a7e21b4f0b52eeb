// What the adapters and the guides use of AppKit, for machines without it: `scripts/test adapters`. The
// signatures are those that Apple documents.

@_exported public import Foundation
@_exported public import ListStandIn

/// What is on screen.
@MainActor open class NSView {
  /// The window that shows the view.
  public var window: NSWindow?
  /// The view's size.
  public var bounds: NSRect { NSRect(x: 0, y: 0, width: 320, height: max(480, contentHeight)) }
  /// How high what it shows is.
  var contentHeight: CGFloat { 480 }

  /// The part of the view that the clip view around it shows, 480 points high.
  public var visibleRect: NSRect { NSRect(x: 0, y: scrolled, width: 320, height: 480) }
  private var scrolled: CGFloat = 0

  /// A view off screen.
  public nonisolated init() {}

  /// Lays out what has changed.
  public func layoutSubtreeIfNeeded() {}

  /// Scrolls the clip view around the view, as far as the view goes.
  public func scroll(_ point: NSPoint) { scrolled = max(0, min(point.y, bounds.height - 480)) }
}

/// What views are shown in.
@MainActor public final class NSWindow {
  /// A window.
  public nonisolated init() {}
}

/// A line of text.
public final class NSTextField: NSView {
  /// The text.
  public var stringValue = ""

  /// A label.
  public convenience init(labelWithString stringValue: String) {
    self.init()
    self.stringValue = stringValue
  }
}

/// A screen.
@MainActor open class NSViewController {
  /// A screen.
  public init() {}

  /// Called once.
  open func viewDidLoad() {}
}

/// What views are animated in.
@MainActor public final class NSAnimationContext {
  /// How long what is changed now is animated.
  public static var currentDuration = 0.25
  /// How long they take.
  public var duration: Double {
    get { Self.currentDuration }
    set { Self.currentDuration = newValue }
  }

  /// Runs animations, and calls the handler when they have ended: at once.
  public class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let duration = currentDuration
    changes(NSAnimationContext())
    currentDuration = duration
    completionHandler?()
  }
}
