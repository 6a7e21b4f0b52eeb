import LiveDeltaAdmin
import LiveDeltaClient
import Synchronization

/// A progress bar on standard error, shown after half a second; none if that is not a terminal.
final class ProgressBar: Sendable {
  private static let barWidth = 30
  private static let delay = Duration.milliseconds(500)
  private static let pause = Duration.milliseconds(100)

  private let label: String
  private let errors: Int32
  private let width: Int?
  private let start = ContinuousClock.now
  private let shown = Mutex((picture: "", time: ContinuousClock.now))

  /// - Parameter label: The name of the task, such as `put movies.json`.
  init(_ label: String) {
    self.label = label.printable
    errors = Surroundings.current.errors
    width = Terminal.width(of: errors)
  }

  /// Updates the progress shown; `total` is `nil` if unknown.
  func update(_ done: Int, of total: Int?, _ text: (Int) -> String = { Figure.count($0) }) {
    let now = ContinuousClock.now
    guard let width, now - start >= Self.delay else { return }
    let figures =
      total.map { "\(bar(done, of: max($0, 1))) \(text(done)) of \(text($0))" } ?? text(done)
    // The label is truncated before the figures.
    let name = label.cut(to: max(width - figures.columnCount - 2, 8))
    let picture = "\(name) \(figures)".cut(to: width - 1)
    shown.withLock { shown in
      guard shown.picture.isEmpty || now - shown.time >= Self.pause else { return }
      shown = (picture, now)
      draw("\r\(picture)\u{1b}[K")
    }
  }

  /// Removes the bar.
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

  private func draw(_ text: String) { Terminal.write(Array(text.utf8), to: errors) }
}
