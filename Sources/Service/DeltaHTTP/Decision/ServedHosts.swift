import Glibc
import HTTP1

/// Restricts the host names that the service answers to while authentication is off.
///
/// A page can point a name of its own at this machine (DNS rebinding), and then has the same origin
/// as the service. IP addresses, `localhost` and the machine's own names cannot be taken over that
/// way.
struct ServedHosts: Sendable {
  private let names: Set<String>

  /// - Parameter allowed: Additional names, in any case and without ports; `*` allows all.
  init(_ allowed: [String]) {
    names = Set(allowed.map { $0.lowercased() } + ["localhost"] + Self.machineNames)
  }

  /// Checks the host of a request; throws `misdirected` if it is not one that the service answers to.
  func check(_ request: borrowing HTTPRequest) throws(Problem) {
    // Only HTTP/1.0 requests can lack a host, and no browser sends those.
    guard let authority = request.authority, !Self.isAddress(authority), !names.contains("*") else {
      return
    }
    guard names.contains(lowercased(Self.host(authority))) else { throw .misdirected }
  }

  /// Whether the host of an authority is an IP address.
  static func isAddress(_ authority: ArraySlice<UInt8>) -> Bool {
    if authority.first == UInt8(ascii: "[") { return true }
    var count = 1
    var number = -1
    for byte in host(authority) {
      switch byte {
      case UInt8(ascii: "."):
        if number < 0 { return false }
        number = -1
        count += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        number = max(number, 0) * 10 + Int(byte - UInt8(ascii: "0"))
        if number > 255 { return false }
      default: return false
      }
    }
    return count == 4 && number >= 0
  }

  /// Returns an authority without its port.
  private static func host(_ authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    authority.prefix { $0 != UInt8(ascii: ":") }
  }

  /// The machine's host name, with and without its domain.
  private static var machineNames: [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let name = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    )
    .lowercased()
    return [name, String(name.prefix { $0 != "." })].filter { !$0.isEmpty }
  }
}
