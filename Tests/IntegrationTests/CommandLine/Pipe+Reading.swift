import Foundation
import Glibc

extension Pipe {
  /// What has come, as soon as anything has; nothing at the end.
  ///
  /// `availableData` and `readDataToEndOfFile` end the process when a signal interrupts them.
  func nextBytes() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(fileHandleForReading.fileDescriptor, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      return Array(bytes.prefix(max(0, count)))
    }
  }
}
