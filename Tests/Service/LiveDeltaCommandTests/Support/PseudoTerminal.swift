import Foundation
import Glibc
import Synchronization
import Testing

@testable import livedelta

/// A terminal of so many columns in which a command runs, and what it shows.
final class PseudoTerminal: Sendable {
  private let primary: Int32
  private let secondary: Int32
  private let bytes = Mutex<[UInt8]>([])
  /// Says that more is shown; ends with the program.
  private let news: AsyncStream<Void>
  private let noting: AsyncStream<Void>.Continuation

  init(columns: UInt16) throws {
    (news, noting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Those of stdlib.h for this are not there for Swift: pts(4).
    primary = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), UInt32(0))
    try #require(ioctl(primary, 0x4004_5431, &lock) == 0)  // TIOCSPTLCK
    try #require(ioctl(primary, 0x8004_5430, &number) == 0)  // TIOCGPTN
    secondary = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(secondary >= 0 && ioctl(secondary, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit { close(primary) }

  /// What is shown so far, line ends as a program writes them.
  var text: String {
    bytes.withLock { String(decoding: $0, as: UTF8.self) }.replacingOccurrences(
      of: "\r\n", with: "\n")
  }

  /// Waits until something is shown.
  func until(_ wanted: String) async {
    var pieces = news.makeAsyncIterator()
    while !text.contains(wanted) {
      guard await pieces.next() != nil else {
        Issue.record("never shown: \(wanted)\n\(text)")
        return
      }
    }
  }

  /// Runs a command with both outputs in the terminal; gives what it showed.
  func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> String {
    DispatchQueue(label: "pseudo-terminal").async { self.show() }
    var surroundings = Surroundings()
    surroundings.environment = environment
    (surroundings.output, surroundings.errors) = (secondary, secondary)
    _ = await Surroundings.$current.withValue(surroundings) {
      await LiveDeltaCommand.run(arguments)
    }
    close(secondary)
    for await _ in news {}
    return text
  }

  /// Takes what is written until the other side has no descriptor left.
  private func show() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(primary, &buffer, buffer.count), count > 0 {
      bytes.withLock { $0 += buffer[..<count] }
      noting.yield()
    }
    noting.finish()
  }
}
