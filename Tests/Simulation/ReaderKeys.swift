import Authentication
import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// The credentials of readers, and what the judge knows of them.
struct ReaderKeys: Sendable {
  /// What each reader may read: one only the collections of one client, two only what a view shows.
  private static let scopes =
    Array(repeating: "read:**", count: 5) + ["read:u", "read:**", "read:**"]
    + Array(repeating: PageView.imposedScope, count: 2) + ["changes", "write:**"]
  /// The numbers of the reader of the feed and of all writers, whose credentials do not end.
  static let feedReader = scopes.count - 2
  static let writer = scopes.count - 1
  /// When the credential of each reader ends, in seconds since 1970; nil for never.
  private var ends: [Int64?] = []

  init(_ plan: Plan) {
    var generator = plan.generator(.credentials)
    let doEnd = plan.chosenFaults.contains(.credentials)
    for _ in Self.scopes {
      let end = World.firstDate + Int64(generator.below(plan.seconds))
      ends.append(doEnd && generator.below(2) == 0 ? end : nil)
    }
    (ends[Self.feedReader], ends[Self.writer]) = (nil, nil)
  }

  /// What a replica knows them by.
  func authenticator(now: @escaping @Sendable () -> Int64) -> Authenticator {
    let lines = ends.indices.map { reader in
      let end = ends[reader].map { " expires=" + ExpiryDate.text($0) } ?? ""
      return "r\(reader) \(KeyDigest(of: "r\(reader)".utf8)) \(Self.scopes[reader])" + end
    }
    do {
      return try Authenticator(.text(lines.joined(separator: "\n")), now: now)
    } catch {
      preconditionFailure("the keys are wrong: \(error)")
    }
  }

  /// Whether a reader may read collections at a date.
  func allow(_ reader: Int, _ keys: [CollectionKey], at date: Int64) -> Bool {
    let isOver = ends[reader].map { date >= $0 } ?? false
    return !isOver && (reader != 5 || keys.allSatisfy { $0.client.text == "u" })
  }
}
