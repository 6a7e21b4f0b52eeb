import Cryptography
import Foundation

/// A secret that webhooks are signed with, as Standard Webhooks has them: `whsec_` and base64.
package struct WebhookSecret: Sendable {
  /// The fewest and the most bytes of a secret.
  package static let byteCounts = 24...64

  private static let prefix = "whsec_"
  private let key: SecretKey

  /// Parses a secret; returns `nil` if it is malformed, too short or too long.
  package init?(_ text: some StringProtocol) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let digits = text.utf8.dropFirst(Self.prefix.utf8.count).map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, let bytes = base64URLDecoded(digits.dropLast(padding)),
      Self.byteCounts.contains(bytes.count)
    else { return nil }
    key = SecretKey(bytes)
  }

  /// Returns `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; the timestamp is in seconds since 1970.
  package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
    "v1," + Data(key.code(of: Array("\(id).\(timestamp).".utf8) + body)).base64EncodedString()
  }
}
