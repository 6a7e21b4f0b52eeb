import Foundation
import LiveDeltaClient
import Telemetry

/// Another service that this one sends requests to, as a setting names it.
///
/// All outgoing requests are made by libcurl through `DeltaClient`, without redirects.
struct OutgoingTarget {
  let address: ServerAddress
  /// What follows the address in each request: a slash at the end of a URL is no part of an address.
  let path: String
  private let transport: any DeltaTransport

  /// Creates the target that a setting names, `nil` if it is empty; a URL with a password is refused.
  init?(_ text: String, _ name: String, _ outgoing: Outgoing) throws {
    guard !text.isEmpty else { return nil }
    // What is before an "@" would be in logs and listings.
    guard !text.contains("@"), text.contains("://") || text.hasPrefix("unix:") else {
      throw Failure.configuration("\(name) is \"\(text)\"; it is http://… or https://…")
    }
    address = try Failure.configuring { try ServerAddress(text) }
    path = text.contains("://") && text.hasSuffix("/") ? "/" : ""
    transport = outgoing.transport(name)
  }

  /// Creates a client with one connection to it; `answering` is zero if each request has its own timeout.
  func client(connecting: Duration, answering: Duration, bodyBytesMax: Int) -> DeltaClient {
    var limits = DeltaClient.Limits()
    limits.connectMilliseconds = Int(connecting / .milliseconds(1))
    limits.answerMilliseconds = Int(answering / .milliseconds(1))
    limits.bodyBytesMax = bodyBytesMax
    return DeltaClient(address, transport: transport, limits: limits)
  }

  /// Creates what POSTs to it over one connection; an error is no answer, and it is sent again.
  func poster(
    connecting: Duration, answering: Duration
  ) -> @Sendable ([HeaderField], [UInt8]) async -> PostAnswer? {
    let client = client(
      connecting: connecting, answering: answering, bodyBytesMax: Self.answerBytesMax)
    return { [path] fields, body in
      // An error is told with the last attempt: the spans or the delivery are dropped and counted.
      let answer = try? await client.request("POST", path, fields: fields, body: body)
      return answer.map { answer in
        PostAnswer(
          status: answer.status, retryAfter: answer["Retry-After"].flatMap { RetryAfter.delay($0) },
          body: answer.body)
      }
    }
  }

  /// The largest answer to a POST or a question, in bytes.
  static let answerBytesMax = 64 << 10
}

/// Reads `Retry-After` (RFC 9110 §10.2.3).
enum RetryAfter {
  private static let secondsMax = 86_400

  /// Returns the time from now that seconds or a date stand for, at most a day; `nil` for any other text.
  static func delay(_ text: String, now: Int = time(nil)) -> Duration? {
    let seconds = UInt32(text).map(Int.init) ?? date(text).map { $0 - now }
    return seconds.map { .seconds(min(max(0, $0), secondsMax)) }
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970.
  private static func date(_ text: String) -> Int? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map { Int($0.timeIntervalSince1970) }
  }
}
