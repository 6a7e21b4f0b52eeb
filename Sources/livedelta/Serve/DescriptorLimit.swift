import DeltaHTTP
import Glibc
import Logging
import SocketServer

/// How many files and sockets the process may have open at once.
enum DescriptorLimit {
  /// Kept for what is no connection of a client: the operations listener, the store's files, the
  /// logs.
  static let reserve = 256

  /// Raises the limit to the most that the system allows this process; gives it.
  static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return Int.max }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(resource, &raised) == 0
    return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
  }

  /// The connections that a limit leaves room for; of a low one, half is kept.
  static func connectionsMax(_ limit: Int) -> Int { max(1, limit - min(reserve, limit / 2)) }
}

extension DeltaServerConfiguration {
  /// Lowers the number of connections to what a limit of descriptors has room for, and says so.
  mutating func fit(descriptors limit: Int, _ logger: Logger) {
    let possible = DescriptorLimit.connectionsMax(limit)
    guard possible < serverLimits.connectionsMax else { return }
    logger.warning(
      "limits.connectionsMax is lowered to what the limit of open files has room for",
      metadata: [
        "configured": "\(serverLimits.connectionsMax)", "effective": "\(possible)",
        "openFilesMax": "\(limit)",
      ])
    serverLimits.connectionsMax = possible
  }
}
