import Foundation
import Synchronization
import Testing

@testable import Authentication

/// A calendar that tests move.
final class TestDate: Sendable {
  private let seconds = Atomic<Int64>(1000)
  var now: Int64 {
    get { seconds.load(ordering: .relaxed) }
    set { seconds.store(newValue, ordering: .relaxed) }
  }
}

@Suite struct AuthenticatorTests {
  private static let inbox = Requirement.collection(.write, client: "u42", name: "inbox")
  private let date = TestDate()

  private func authenticator(_ text: String) throws -> Authenticator {
    try Authenticator(.text(text), now: { [date] in date.now })
  }

  private func refusal(
    _ authenticator: Authenticator, _ field: String?, _ requirement: Requirement = inbox
  ) -> Refusal? {
    do throws(Refusal) {
      _ = try authenticator.authorize(field.map { Array($0.utf8)[...] }, requirement)
      return nil
    } catch {
      return error
    }
  }

  /// Why a request that was authorized would not be any more; nil if it would.
  private func refusal(_ authorization: Authorization) -> Refusal? {
    do throws(Refusal) {
      _ = try authorization.current()
      return nil
    } catch {
      return error
    }
  }

  private static let fields: [(String?, Refusal?)] = [
    (nil, .noCredential), ("", .noCredential), ("Bearer", .noCredential),
    ("Bearer ", .noCredential), ("Basic c2VjcmV0", .noCredential), ("secret", .noCredential),
    ("Bearersecret", .noCredential), ("Bearer secreT", .badCredential),
    ("Bearer secret ", .badCredential), ("Bearer secret secret", .badCredential),
    ("Bearer \(digest)", .badCredential), ("Bearer old", .expired),
    ("Bearer reader", .insufficientScope), ("Bearer secret", nil), ("bearer  secret", nil),
    ("BEARER secret", nil),
  ]

  @Test(arguments: fields)
  func `a field is authorized or refused`(_ field: String?, _ expected: Refusal?) throws {
    let authenticator = try authenticator(
      """
      writer \(digest) write:u*/**
      reader \(KeyDigest(of: "reader".utf8)) read:**
      old \(KeyDigest(of: "old".utf8)) write:** expires=1970-01-01T00:16:40Z
      """)
    #expect(refusal(authenticator, field) == expected)
    #expect(refusal(authenticator, field, .nothing) == nil)
  }

  @Test func `a key is refused from the second on at which it expires`() throws {
    let authenticator = try authenticator("a \(digest) write:** expires=1970-01-01T00:20:00Z")
    let authorization = try #require(
      try authenticator.authorize(Array("Bearer secret".utf8)[...], Self.inbox))
    date.now = 1199
    #expect(refusal(authenticator, "Bearer secret") == nil)
    #expect(refusal(authorization) == nil)
    date.now = 1200
    #expect(refusal(authenticator, "Bearer secret") == .expired)
    #expect(refusal(authorization) == .expired)
  }

  @Test func `a file is read again when it changes, and what is wrong with it changes nothing`()
    throws
  {
    let path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func write(_ text: String) throws {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    try write("a \(digest) write:u42")
    let events = Mutex<[String]>([])
    let authenticator = try Authenticator(.file(path), now: { 0 }) { event in
      events.withLock { $0.append("\(event)") }
    }
    let ended = Mutex<[String]>([])
    var authorization = try #require(
      try authenticator.authorize(Array("Bearer secret".utf8)[...], Self.inbox))
    _ = authorization.watch { _ in
    } ended: { _ in
      ended.withLock { $0.append("first") }
    }
    try authorization.require(.collection(.read, client: "u42", name: "cart"))
    #expect(throws: Refusal.insufficientScope) { try authorization.require(.admin) }
    _ = authorization.watch { _ in
    } ended: { _ in
      ended.withLock { $0.append("second") }
    }
    authorization.watch { _ in
    } ended: { _ in
      ended.withLock { $0.append("cancelled") }
    }()
    authenticator.refresh()
    #expect(events.withLock(\.self).isEmpty)

    try write("a \(digest) nonsense")
    authenticator.refresh()
    #expect(events.withLock(\.self).count == 1)
    #expect(refusal(authorization) == nil)

    // Less than the second needs.
    try write("a \(digest) write:u42/inbox")
    authenticator.refresh()
    #expect(ended.withLock(\.self) == ["second"])
    #expect(refusal(authorization) == .insufficientScope)

    try write("b \(KeyDigest(of: "b".utf8)) write:u42")
    authenticator.refresh()
    authenticator.refresh()
    #expect(ended.withLock(\.self) == ["second", "first"])
    #expect(refusal(authorization) == .badCredential)
    #expect(refusal(authenticator, "Bearer secret") == .badCredential)
    #expect(refusal(authenticator, "Bearer b") == nil)

    try FileManager.default.removeItem(atPath: path)
    authenticator.refresh()
    #expect(refusal(authenticator, "Bearer b") == nil)
  }

  @Test func `a file that is not there is told at the start`() {
    #expect(throws: KeysError(line: 0, reason: .unreadable(ENOENT))) {
      try Authenticator(.file("/nonexistent/keys"), now: { 0 })
    }
  }
}
