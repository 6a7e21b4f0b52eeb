import Glibc

/// Writing to the two standard streams.
enum Terminal {
  /// Whether people see standard error, so that a bar may move there.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Writes a line to standard output, at once: a reader behind a pipe sees it now.
  static func line(_ text: String) {
    write(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  /// Writes bytes to standard output, and a line end if they have none.
  static func body(_ bytes: [UInt8]) {
    write(bytes.last == UInt8(ascii: "\n") ? bytes : bytes + Array("\n".utf8), to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func note(_ text: String) {
    write(Array((text + "\n").utf8), to: STDERR_FILENO)
  }

  /// Writes bytes as they are; what a closed pipe does not take is lost.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
