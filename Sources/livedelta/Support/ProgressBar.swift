/// A bar on standard error that moves while work goes on; nothing at all when it is no terminal.
struct ProgressBar {
  private static let width = 30

  private let label: String
  private let total: Int
  private let isShown = Terminal.showsProgress
  private var shownTenths = -1

  init(_ label: String, total: Int) {
    self.label = label
    self.total = max(total, 1)
  }

  /// Shows how far the work is; drawn only when the picture changes.
  mutating func update(_ done: Int) {
    guard isShown else { return }
    let tenths = done * 1000 / total
    guard tenths != shownTenths else { return }
    shownTenths = tenths
    let filled = done * Self.width / total
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    draw("\r\(label) \(bar) \(done)/\(total)")
  }

  /// Takes the bar away.
  func finish() {
    if isShown { draw("\r\u{1b}[K") }
  }

  private func draw(_ text: String) { Terminal.write(Array(text.utf8), to: 2) }
}
