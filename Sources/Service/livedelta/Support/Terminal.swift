import Glibc
import LiveDeltaAdmin
import LiveDeltaClient
import Synchronization

/// Writes to the standard streams, and measures text on a terminal.
enum Terminal {
  /// Whether the program ends when standard output takes no more.
  ///
  /// What a command has written would be a part of a result. A service, which only says there where
  /// it listens, goes on.
  static let endsWithOutput = Atomic(true)

  /// Opens those of the standard streams that were closed, so that no other file gets their
  /// descriptors, and with them what is meant for the streams.
  static func openStreams() {
    var descriptor: Int32 = 0
    while 0...STDERR_FILENO ~= descriptor { descriptor = open("/dev/null", O_RDWR) }
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  static var isOutput: Bool { isatty(Surroundings.current.output) == 1 }

  /// The width of standard output in columns; `nil` if it is not a terminal.
  static var width: Int? { width(of: Surroundings.current.output) }

  /// Returns the width of a stream in columns, or `nil` if it is not a terminal.
  static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Writes a line to standard output, unbuffered, so that a piped reader sees it at once.
  static func line(_ text: String) {
    write(Array((text + "\n").utf8), to: Surroundings.current.output)
  }

  /// Writes a line to standard error, with control characters escaped.
  static func note(_ text: String) {
    write(Array((text.printable + "\n").utf8), to: Surroundings.current.errors)
  }

  /// Writes bytes unchanged; those that a closed pipe does not accept are lost.
  ///
  /// If standard output does not accept them for another reason, the program ends.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
        continue
      }
      guard count > 0 else { return lose(descriptor, errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func lose(_ descriptor: Int32, _ number: Int32) {
    // A reader that left wants no more; what standard error does not take can be told nowhere.
    guard descriptor == STDOUT_FILENO, number != EPIPE, endsWithOutput.load(ordering: .relaxed)
    else { return }
    note("livedelta: standard output: \(String(cString: strerror(number)))")
    exit(ExitStatus.output.rawValue)
  }
}

extension String {
  /// The display width in columns: wide characters take two, combining ones none.
  var columnCount: Int { unicodeScalars.reduce(0) { $0 + $1.columnCount } }

  /// Returns the string truncated to a width in columns, with an ellipsis.
  func cut(to width: Int?) -> String {
    guard let width, columnCount > width else { return self }
    var room = max(width, 1) - 1
    let kept = unicodeScalars.prefix {
      room -= $0.columnCount
      return room >= 0
    }
    return String(String.UnicodeScalarView(kept)) + "…"
  }
}

extension Unicode.Scalar {
  /// Blocks of wide characters (UAX #11): Hangul, CJK, full-width forms.
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]

  fileprivate var columnCount: Int {
    if isASCII { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide = properties.isEmojiPresentation || Self.wideBlocks.contains { $0 ~= value }
    return isWide ? 2 : 1
  }
}
