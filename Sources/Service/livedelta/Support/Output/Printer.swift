import LiveDeltaAdmin
import LiveDeltaClient

/// Writes a command's results to standard output: text for people, JSON for programs.
///
/// Control characters are escaped, whatever their origin. On a terminal, lines are truncated to its
/// width and changes are colored as in a diff.
struct Printer: Sendable {
  let isJSON: Bool
  private let hasColor: Bool
  private let output: Int32
  private let width: Int?

  init(isJSON: Bool, hasColor: Bool) {
    self.isJSON = isJSON
    self.hasColor = hasColor
    output = Surroundings.current.output
    width = Terminal.width
  }

  func line(_ text: String) { write(text, nil) }

  func lines(_ texts: [String]) { texts.forEach(line) }

  /// Writes a line that introduces others.
  func heading(_ text: String) { write(text, .bold) }

  /// Writes a line that is never cut, for what is copied from it.
  func whole(_ text: String) { put(text.printable) }

  /// Writes a change, or an element of the contents.
  func change(_ line: ChangeLine) {
    write(line.description, line.mark.style)
    for detail in line.details { write("      \(detail)", nil) }
  }

  func json(_ bytes: [UInt8]) {
    let line = bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
    guard width != nil else { return Terminal.write(line, to: output) }
    // Control characters that JSON allows occur only in strings, where `\u009b` is valid too.
    let text = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n").map { String($0).printable }.joined(separator: "\n")
    put(text)
  }

  private func write(_ text: String, _ style: Style?) {
    let shown = text.printable.cut(to: width)
    guard hasColor, let style else { return put(shown) }
    put("\u{1b}[\(style.rawValue)m\(shown)\u{1b}[0m")
  }

  private func put(_ line: String) { Terminal.write(Array((line + "\n").utf8), to: output) }
}

/// A text style: an SGR code (ECMA-48 §8.3.117).
private enum Style: Int {
  case bold = 1
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36
}

extension ChangeLine.Mark {
  fileprivate var style: Style? {
    switch self {
    case .inserted: .green
    case .deleted: .red
    case .moved: .cyan
    case .reloaded: .yellow
    case .content: nil
    }
  }
}
