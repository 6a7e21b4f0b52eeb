import LiveCollectionsClient
import Synchronization

/// A bar on standard error for work of more than half a second; nothing when it is no terminal.
final class ProgressBar: Sendable {
  private static let barWidth = 30
  private static let delay = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(100)

  private let label: String
  private let width = Terminal.width(of: 2)
  private let start = ContinuousClock.now
  private let shown = Mutex((picture: "", time: ContinuousClock.now))

  /// - Parameter label: What is done, as in `put movies.json`.
  init(_ label: String) { self.label = label.printable }

  /// Shows how far the work is.
  ///
  /// - Parameters:
  ///   - done: How much is done.
  ///   - total: How much there is to do; nil when nobody knows.
  ///   - text: The figures as people read them.
  func update(_ done: Int, of total: Int?, _ text: (Int) -> String = { Figure.count($0) }) {
    let now = ContinuousClock.now
    guard let width, now - start >= Self.delay else { return }
    let figures =
      total.map { "\(bar(done, of: max($0, 1))) \(text(done)) of \(text($0))" } ?? text(done)
    // A long name gives way to the figures.
    let name = label.cut(to: max(width - figures.columnCount - 2, 8))
    let picture = "\(name) \(figures)".cut(to: width - 1)
    shown.withLock { shown in
      guard shown.picture.isEmpty || now - shown.time >= Self.pause else { return }
      shown = (picture, now)
      draw("\r\(picture)\u{1b}[K")
    }
  }

  /// Takes the bar away.
  func finish() {
    shown.withLock { shown in
      if !shown.picture.isEmpty { draw("\r\u{1b}[K") }
      shown.picture = ""
    }
  }

  private func bar(_ done: Int, of total: Int) -> String {
    let filled = min(done * Self.barWidth / total, Self.barWidth)
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: Self.barWidth - filled)
  }

  private func draw(_ text: String) { Terminal.write(Array(text.utf8), to: 2) }
}
