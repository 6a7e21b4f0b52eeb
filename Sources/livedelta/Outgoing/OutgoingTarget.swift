import LiveDeltaClient
import LiveDeltaCurl

/// Another service that this one sends requests to, as a setting names it.
///
/// All outgoing requests are made by libcurl through `DeltaClient`, without redirects.
struct OutgoingTarget {
  let address: ServerAddress
  /// What follows the address in each request: a slash at the end of a URL is no part of an address.
  let path: String

  /// Creates the target that a setting names; `nil` if it is empty.
  ///
  /// - Parameters:
  ///   - text: The content of the setting.
  ///   - name: The name of the setting.
  /// - Throws: `Failure` if it is no URL, or has a password.
  init?(_ text: String, _ name: String) throws {
    guard !text.isEmpty else { return nil }
    // What is before an "@" would be in logs and listings.
    guard !text.contains("@"), text.contains("://") || text.hasPrefix("unix:") else {
      throw Failure.configuration("\(name) is \"\(text)\"; it is http://… or https://…")
    }
    address = try Failure.configuring { try ServerAddress(text) }
    path = text.contains("://") && text.hasSuffix("/") ? "/" : ""
  }

  /// Creates a client with one connection to it.
  ///
  /// - Parameters:
  ///   - connecting: The timeout for connecting.
  ///   - answering: The timeout for a complete answer; zero if each request has its own.
  ///   - bodyBytesMax: The largest body of an answer, in bytes.
  /// - Returns: The client.
  func client(connecting: Duration, answering: Duration, bodyBytesMax: Int) -> DeltaClient {
    var limits = DeltaClient.Limits()
    limits.connectMilliseconds = Int(connecting / .milliseconds(1))
    limits.answerMilliseconds = Int(answering / .milliseconds(1))
    limits.bodyBytesMax = bodyBytesMax
    return DeltaClient(address, limits: limits)
  }
}
