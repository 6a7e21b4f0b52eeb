#if canImport(os)
  internal import os
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The log of problems that no callback of the app receives: the system's log, or standard error.
package enum AppLog {
  /// Writes a line.
  package static func warn(_ text: String) {
    #if canImport(os)
      Logger(subsystem: "LiveDelta", category: "lists").warning("\(text)")
    #else
      let line = Array("LiveDelta: \(text)\n".utf8)
      _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
    #endif
  }
}
