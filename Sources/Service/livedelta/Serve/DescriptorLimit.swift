import DeltaHTTP
import Glibc
import Logging
import SocketServer

enum DescriptorLimit {
  /// Descriptors reserved for the operations listener, the store's files and the logs.
  static let reserve = 256

  /// Raises the limit to the hard limit and returns it.
  static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return Int.max }
    var raised = limit
    raised.rlim_cur = limit.rlim_max
    let isRaised = setrlimit(resource, &raised) == 0
    return Int(clamping: isRaised ? raised.rlim_cur : limit.rlim_cur)
  }

  /// Returns how many connections a limit allows after the reserve, which is at most half of it.
  static func connectionsMax(_ limit: Int) -> Int { max(1, limit - min(reserve, limit / 2)) }
}

extension DeltaServerConfiguration {
  /// Lowers `connectionsMax` to what a descriptor limit allows, and logs a warning if it does.
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
