package import DeltaHTTP
import Glibc
package import TestSupport

/// A pipe with a log at one end and a test at the other; never closed, for a log may still write.
package final class LogPipe {
  private let ends: [Int32]
  package let log: AccessLog

  package init(bytesMax: Int = 1 << 20) {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    self.ends = ends
    log = AccessLog(descriptor: ends[1], bytesMax: bytesMax)
  }

  /// The lines so far, which are fewer than a pipe holds.
  package func lines(_ count: Int) async throws -> [JSONTree] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    try await until {
      log.flush()
      var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 0) == 1 {
        let received = read(ends[0], &buffer, buffer.count)
        bytes += buffer[..<max(0, received)]
      }
      return bytes.count(where: { $0 == 0x0A }) >= count
    }
    return bytes.split(separator: 0x0A).map { JSONTree(Array($0)) }
  }
}
