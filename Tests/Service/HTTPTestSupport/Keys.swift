import Authentication
package import DeltaHTTP
import Synchronization

/// A server whose users hold keys; each secret is the name of its key.
package enum Keys {
  /// The keys by name, and what they allow.
  package static let scopes: KeyValuePairs<String, String> = [
    "readsInbox": "read:u42/inbox", "writesInbox": "write:u42/inbox", "readsClient": "read:u42",
    "writesClient": "write:u4*/**", "writesAll": "write:**", "readsOther": "read:u7",
    "follows": "changes", "operates": "admin", "runs": "admin write:**",
  ]

  package static var list: String {
    (scopes.map { line($0, $1) } + [line("expired", "write:** changes admin expires=1970-01-02")])
      .joined(separator: "\n")
  }

  /// The line of a key.
  package static func line(_ name: String, _ rest: String) -> String {
    "\(name) \(KeyDigest(of: name.utf8)) \(rest)"
  }

  /// The field that shows a key.
  package static func field(_ name: String) -> [String: String] {
    ["Authorization": "Bearer \(name)"]
  }

  package static func configure(_ configuration: inout DeltaServerConfiguration) {
    configuration.authenticator = try? Authenticator(.text(list), now: { 1_000_000 })
  }
}

/// A calendar that a test moves.
package final class TestCalendar: Sendable {
  private let seconds = Atomic<Int64>(0)

  package init() {}

  package var now: Int64 {
    get { seconds.load(ordering: .relaxed) }
    set { seconds.store(newValue, ordering: .relaxed) }
  }
}
