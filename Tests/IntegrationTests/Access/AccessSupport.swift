import Authentication
import DeltaHTTP
import Synchronization

/// A server whose users hold keys; each secret is the name of its key.
enum Keys {
  /// The keys by name, and what they allow.
  static let scopes: KeyValuePairs<String, String> = [
    "readsInbox": "read:u42/inbox", "writesInbox": "write:u42/inbox", "readsClient": "read:u42",
    "writesClient": "write:u4*/**", "writesAll": "write:**", "readsOther": "read:u7",
    "follows": "changes", "operates": "admin", "runs": "admin write:**",
  ]

  static var list: String {
    (scopes.map { line($0, $1) } + [line("expired", "write:** changes admin expires=1970-01-02")])
      .joined(separator: "\n")
  }

  /// The line of a key.
  static func line(_ name: String, _ rest: String) -> String {
    "\(name) \(KeyDigest(of: name.utf8)) \(rest)"
  }

  /// The field that shows a key.
  static func field(_ name: String) -> [String: String] { ["Authorization": "Bearer \(name)"] }

  static func configure(_ configuration: inout DeltaServerConfiguration) {
    configuration.authenticator = try? Authenticator(.text(list), now: { 1_000_000 })
  }
}

/// A calendar that a test moves.
final class TestCalendar: Sendable {
  private let seconds = Atomic<Int64>(0)
  var now: Int64 {
    get { seconds.load(ordering: .relaxed) }
    set { seconds.store(newValue, ordering: .relaxed) }
  }
}
