import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// Waiting requests and streams whose authorization changes.
@Suite struct AuthorizationTests {
  private let date = TestDate()
  private let backend = StandInBackend()
  private let inbox = Requirement.collection(.read, client: "u42", name: "inbox")

  /// The notices that a stream gets: its views, or the reason of its end.
  private final class Told: Sendable {
    enum Entry: Hashable {
      case views([ImposedView])
      case ended(Refusal)
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock(\.self) }

    func watch(_ authorization: Authorization) {
      _ = authorization.watch { changed in
        self.entries.withLock { $0.append(.views(AuthorizationTests.views(changed))) }
      } ended: { refusal in
        self.entries.withLock { $0.append(.ended(refusal)) }
      }
    }
  }

  private static func views(_ authorization: Authorization) -> [ImposedView] {
    authorization.principal.imposedViews(client: "u42", name: "inbox")
  }

  private func authorize(_ authenticator: Authenticator) async throws -> Authorization {
    try await StandInBackend.authorize(authenticator, inbox)
  }

  private func recheck(
    _ authorization: Authorization, hasWaited: Bool = true
  ) async -> Result<Authorization, Refusal> {
    await withCheckedContinuation { continuation in
      authorization.recheck(hasWaited: hasWaited) { continuation.resume(returning: $0) }
    }
  }

  private func renew(_ authorization: Authorization) async -> Result<Authorization, Refusal> {
    await withCheckedContinuation { continuation in
      authorization.renew { continuation.resume(returning: $0) }
    }
  }

  private func say(_ seconds: Int?, _ views: String...) {
    backend.answer(
      ForwardAnswer(status: 200, cacheControl: seconds.map { "max-age=\($0)" }, views: views))
  }

  // MARK: Keys

  @Test
  func
    `a stream of a key whose view changes continues with the new one, until the key may not read`()
    async throws
  {
    let path = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func write(_ scopes: String) throws {
      try "a \(digest) \(scopes)".write(toFile: path, atomically: true, encoding: .utf8)
    }
    try write("read:u42?select=/a")
    let authenticator = try Authenticator(.file(path), now: { 0 })
    let field = Array("Bearer secret".utf8)
    let authorization = try #require(try authenticator.authorize(field[...], inbox))
    let told = Told()
    told.watch(authorization)
    /// The views of a waiting request.
    func views() async throws -> [ImposedView] {
      try Self.views(await recheck(authorization).get())
    }
    func change(_ scopes: String) throws {
      try write(scopes)
      authenticator.refresh()
      authenticator.refresh()
    }
    #expect(try await views() == [.text("select=/a")])
    try change("read:u42?select=/b")
    #expect(told.all == [.views([.text("select=/b")])])
    #expect(try await views() == [.text("select=/b")])
    // Another scope, but not for this.
    try change("read:u42?select=/b write:u7 read:u42/cart")
    #expect(told.all.count == 1)
    try change("read:u42?select=/b write:u42/*")
    #expect(told.all.last == .views([]) && told.all.count == 2)
    #expect(try await views() == [])
    try change("read:u42?select=/b read:u42?select=/c")
    #expect(told.all.last == .views([.text("select=/b"), .text("select=/c")]))
    #expect(told.all.count == 3)
    try change("read:u7")
    #expect(told.all.last == .ended(.insufficientScope) && told.all.count == 4)
    await #expect(throws: Refusal.insufficientScope) { try await views() }
  }

  // MARK: Verdicts

  @Test(arguments: [(nil, 0), (1, 1), (1, 2), (1, 4), (4, 4)] as [(Int?, Int64)])
  func `no request that has waited is answered by an expired verdict, however short the wait`(
    _ maxAge: Int?, _ later: Int64
  ) async throws {
    let authenticator = try backend.authenticator(date)
    say(maxAge, "select=/a")
    let authorization = try await authorize(authenticator)
    backend.answer(ForwardAnswer(status: 403))
    date.now += later
    #expect(await recheck(authorization).refusal == .insufficientScope)
    say(maxAge, "select=/b")
    #expect(try Self.views(await recheck(authorization).get()) == [.text("select=/b")])
  }

  @Test func `an unexpired verdict answers a request that has waited, without a question`()
    async throws
  {
    let authenticator = try backend.authenticator(date)
    say(4)
    let authorization = try await authorize(authenticator)
    backend.answer(ForwardAnswer(status: 403))
    date.now += 3
    #expect(await recheck(authorization).refusal == nil)
    #expect(backend.questions.count == 1)
  }

  @Test func `a verdict that must not be cached is valid for the request that caused it`()
    async throws
  {
    let authenticator = try backend.authenticator(date)
    say(nil)
    let authorization = try await authorize(authenticator)
    #expect(await recheck(authorization, hasWaited: false).refusal == nil)
    #expect(backend.questions.count == 1)
    // Its body was long in coming.
    date.now += 1
    #expect(await recheck(authorization, hasWaited: false).refusal == nil)
    #expect(backend.questions.count == 2)
  }

  @Test func `one change that wakes many of one caller asks once`() async throws {
    let authenticator = try backend.authenticator(date)
    say(nil)
    let authorization = try await authorize(authenticator)
    backend.hold()
    let woken = Atomic(0)
    for _ in 1...1000 {
      authorization.recheck(hasWaited: true) { result in
        if case .success = result { woken.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    try await until { backend.questions.count == 2 }
    backend.release()
    try await until { woken.load(ordering: .relaxed) == 1000 }
    #expect(backend.questions.count == 2)
  }

  @Test(arguments: [nil, 1, 3] as [Int?])
  func `a stream is asked about within a second after its verdict has expired, not before`(
    _ maxAge: Int?
  ) async throws {
    let authenticator = try backend.authenticator(date)
    say(maxAge, "select=/a")
    let told = Told()
    told.watch(try await authorize(authenticator))
    for _ in 1..<(maxAge ?? 1) {
      date.now += 1
      authenticator.refresh()
    }
    #expect(backend.questions.count == 1)
    date.now += 1
    authenticator.refresh()
    try await until { authenticator.forwardStatistics.granted == 2 }
    authenticator.refresh()
    #expect(told.all.isEmpty)
    date.now += Int64(maxAge ?? 1)
    say(maxAge, "select=/b")
    authenticator.refresh()
    try await until { !told.all.isEmpty }
    #expect(told.all == [.views([.text("select=/b")])])
    date.now += Int64(maxAge ?? 1)
    backend.answer(ForwardAnswer(status: 403))
    authenticator.refresh()
    try await until { told.all.count == 2 }
    #expect(told.all.last == .ended(.insufficientScope))
  }

  @Test func `a later verdict from another request holds for waiting requests and streams, too`()
    async throws
  {
    let authenticator = try backend.authenticator(date)
    say(60, "select=/a")
    let authorization = try await authorize(authenticator)
    let told = Told()
    told.watch(authorization)
    date.now += 1
    say(60, "select=/b")
    let renewed = try await renew(authorization).get()
    #expect(Self.views(renewed) == [.text("select=/b")])
    #expect(!renewed.hasSameViews(as: authorization) && renewed.hasSameViews(as: renewed))
    #expect(try Self.views(await recheck(authorization).get()) == [.text("select=/b")])
    authenticator.refresh()
    #expect(told.all == [.views([.text("select=/b")])])
    #expect(backend.questions.count == 2)
  }

  @Test
  func `a new verdict is asked for once a second; without an answer the latest one stays valid`()
    async throws
  {
    let authenticator = try backend.authenticator(date)
    say(10)
    let authorization = try await authorize(authenticator)
    for _ in 1...3 { #expect(await renew(authorization).refusal == nil) }
    #expect(backend.questions.count == 1)
    date.now += 1
    for _ in 1...3 { #expect(await renew(authorization).refusal == nil) }
    #expect(backend.questions.count == 2)
    date.now += 1
    backend.answer(nil)
    #expect(await renew(authorization).refusal == nil)
    // The first one has expired, the second one is in force.
    date.now += 8
    #expect(await renew(authorization).refusal == nil)
    date.now += 1
    #expect(await renew(authorization).refusal == .unavailable)
    backend.answer(ForwardAnswer(status: 403, cacheControl: "max-age=10"))
    date.now += 1
    for _ in 1...3 { #expect(await renew(authorization).refusal == .insufficientScope) }
    #expect(backend.questions.count == 6)
  }

  @Test func `a key is renewed without a question`() async throws {
    let authenticator = try backend.authenticator(date)
    let field = Array("Bearer secret".utf8)
    let authorization = try #require(try authenticator.authorize(field[...], inbox))
    date.now += 1
    #expect(try await renew(authorization).get().principal === authorization.principal)
    #expect(backend.questions.isEmpty)
  }
}
