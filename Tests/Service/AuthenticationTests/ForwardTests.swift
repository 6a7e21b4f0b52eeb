import Synchronization
import TestSupport
import Testing

@testable import Authentication

@Suite struct ForwardTests {
  private let date = TestDate()
  private let backend = StandInBackend()
  private let inbox = Requirement.collection(.read, client: "u42", name: "inbox")
  private let caller = Array("session=1".utf8)

  private func authenticator() throws -> Authenticator { try backend.authenticator(date) }

  /// What becomes of a request with a cookie; nil for yes.
  private func refusal(
    _ authenticator: Authenticator, _ cookie: String = "session=1",
    _ requirement: Requirement? = nil
  ) async -> Refusal? {
    do throws(Refusal) {
      _ = try await StandInBackend.authorize(authenticator, requirement ?? inbox, cookie)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      (nil, nil, 0), ("", nil, 0), ("max-age=5", nil, 5), ("private, Max-Age=5", nil, 5),
      ("max-age=3600", nil, 60), ("max-age=5, no-store", nil, 0), ("no-cache, max-age=5", nil, 0),
      ("max-age=9, max-age=5", nil, 5), ("max-age=\"5\"", nil, 5), ("max-age", nil, 0),
      ("max-age=soon", nil, 0), ("max-age=-5", nil, 0), ("max-age=99999999999999999999", nil, 0),
      ("s-maxage=5", nil, 0), ("max-age=5", "3", 2), ("max-age=5", "9", 0), ("max-age=5", "old", 0),
      ("max-age=5", "-9", 5), ("max-age=5", "9223372036854775807", 0),
    ] as [(String?, String?, Int64)])
  func `a verdict is kept as its Cache-Control says, and no longer than a minute`(
    _ field: String?, _ age: String?, _ seconds: Int64
  ) {
    #expect(ForwardAnswer(status: 204, cacheControl: field, age: age).seconds == seconds)
  }

  @Test(
    arguments: [
      (200, nil), (204, nil), (401, .badCredential), (403, .insufficientScope),
      (404, .insufficientScope), (302, .unavailable), (400, .unavailable), (429, .unavailable),
      (500, .unavailable), (503, .unavailable), (100, .unavailable), (0, .unavailable),
    ] as [(Int, Refusal?)])
  func `only 2xx is a yes, and what is no answer is not kept`(
    _ status: Int, _ expected: Refusal?
  ) async throws {
    let authenticator = try authenticator()
    backend.answer(ForwardAnswer(status: status, cacheControl: "max-age=30"))
    for _ in 1...3 { #expect(await refusal(authenticator) == expected) }
    #expect(backend.questions.count == (expected == .unavailable ? 3 : 1))
    date.now += 29
    #expect(await refusal(authenticator) == expected)
    date.now += 1
    let before = backend.questions.count
    backend.answer(nil)
    #expect(await refusal(authenticator) == .unavailable)
    #expect(backend.questions.count == before + 1)
  }

  @Test func `a verdict is for one caller, one collection and one kind of access`() async throws {
    let authenticator = try authenticator()
    backend.answer(ForwardAnswer(status: 200, cacheControl: "max-age=60"))
    let requirements = [
      inbox, .collection(.write, client: "u42", name: "inbox"),
      .collection(.read, client: "u42", name: "cart"),
      .collection(.read, client: "u7", name: "inbox"), .allCollections(.read, client: "u42"),
    ]
    for cookie in ["session=1", "session=2"] {
      for requirement in requirements {
        #expect(await refusal(authenticator, cookie, requirement) == nil)
      }
    }
    #expect(backend.questions.count == 10)
    #expect(backend.questions[4].collection == nil && backend.questions[1].access == .write)
    // The same bytes in the other field are another caller.
    #expect(throws: Never.self) {
      guard
        case .question(let question) = try authenticator.authorize(caller[...], cookies: [], inbox)
      else { throw Refusal.badCredential }
      #expect(question.authorization == caller && question.cookie == nil)
    }
  }

  @Test func `equal callers share one question`() async throws {
    let authenticator = try authenticator()
    backend.answer(ForwardAnswer(status: 200))
    backend.hold()
    let question = try #require(ForwardQuestion(nil, cookie: caller, inbox))
    let authorizedCount = Atomic(0)
    for _ in 1...20 {
      authenticator.ask(question, inbox) { result in
        if case .success = result { authorizedCount.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    try await until { !backend.questions.isEmpty }
    backend.release()
    try await until { authorizedCount.load(ordering: .relaxed) >= 20 }
    #expect(backend.questions.count == 1)
    // It was not to be kept.
    #expect(await refusal(authenticator) == nil)
    #expect(backend.questions.count == 2)
  }

  @Test func `who has a key, or shows nothing, or wants no collection is not asked about`()
    async throws
  {
    let authenticator = try authenticator()
    backend.answer(ForwardAnswer(status: 200, cacheControl: "max-age=60"))
    let key = Array("Bearer secret".utf8)
    guard
      case .authorized(_?) = try authenticator.authorize(key[...], cookies: [caller[...]], inbox)
    else { throw Refusal.badCredential }
    #expect(throws: Refusal.noCredential) {
      try authenticator.authorize(nil, cookies: [], inbox)
    }
    for requirement in [Requirement.changes, .admin, .credential] {
      #expect(await refusal(authenticator, "session=1", requirement) == .noCredential)
    }
    #expect(backend.questions.isEmpty)
  }

  /// What was authorized by a verdict that is good for ten seconds.
  private func authorized(_ authenticator: Authenticator) async throws -> Authorization {
    backend.answer(ForwardAnswer(status: 200, cacheControl: "max-age=10"))
    #expect(await refusal(authenticator) == nil)
    guard
      case .authorized(let authorization?) = try authenticator.authorize(
        nil, cookies: [caller[...]], inbox)
    else { throw Refusal.badCredential }
    return authorization
  }

  @Test func `what waits or streams is asked about again, and ends with a no`() async throws {
    let authenticator = try authenticator()
    let authorization = try await authorized(authenticator)
    let ended = Mutex<[Refusal]>([])
    let unwatch = authorization.watch { _ in
    } ended: { refusal in
      ended.withLock { $0.append(refusal) }
    }
    defer { unwatch() }
    let before = backend.questions.count
    date.now += 9
    authenticator.refresh()
    #expect(backend.questions.count == before)
    date.now += 1
    #expect(!authorization.isCurrent)
    authenticator.refresh()
    try await until { authenticator.forwardStatistics.granted == 2 }
    #expect(await recheck(authorization) == nil)
    #expect(ended.withLock(\.count) == 0)
    date.now += 10
    backend.answer(ForwardAnswer(status: 403))
    authenticator.refresh()
    try await until { !ended.withLock(\.isEmpty) }
    #expect(ended.withLock(\.self) == [.insufficientScope])
    #expect(await recheck(authorization) == .insufficientScope)
  }

  @Test func `a stream goes on for a grace without an answer, and then ends for want of one`()
    async throws
  {
    for status in [nil, 500, 429] {
      let authenticator = try authenticator()
      let authorization = try await authorized(authenticator)
      let ended = Mutex<[Refusal]>([])
      let end = Mutex<Int64>(0)
      let unwatch = authorization.watch { _ in
      } ended: { [date] refusal in
        end.withLock { $0 = date.now }
        ended.withLock { $0.append(refusal) }
      }
      defer { unwatch() }
      // Down for less than the grace: nobody notices.
      let down = status.map { ForwardAnswer(status: $0) }
      backend.answer(down)
      date.now += 10
      for _ in 0..<29 {
        let unanswered = authenticator.forwardStatistics.unanswered
        authenticator.refresh()
        try await until { authenticator.forwardStatistics.unanswered != unanswered }
        date.now += 1
      }
      backend.answer(ForwardAnswer(status: 204))
      authenticator.refresh()
      try await until { authenticator.forwardStatistics.granted == 2 }
      #expect(ended.withLock(\.count) == 0)
      // Down for longer.
      backend.answer(down)
      let start = date.now
      try await until {
        date.now += 1
        authenticator.refresh()
        return !ended.withLock(\.isEmpty)
      }
      #expect(end.withLock(\.self) >= start + 30)
      #expect(ended.withLock(\.self) == [.unavailable])
      #expect(authenticator.forwardStatistics.unverified == 1)
    }
  }

  @Test
  func `a long poll that wakes waits for a verdict within its time, and is told no other way`()
    async throws
  {
    let authenticator = try authenticator()
    let authorization = try await authorized(authenticator)
    backend.answer(nil)
    date.now += 10
    let told = Mutex<[Refusal?]>([])
    // Of the 25 seconds that it may wait ten are over.
    authorization.recheck(waitSeconds: 25) { result in told.withLock { $0.append(result.refusal) } }
    for _ in 0..<14 {
      date.now += 1
      authenticator.refresh()
      #expect(told.withLock(\.count) == 0)
    }
    backend.answer(ForwardAnswer(status: 204))
    try await until {
      authenticator.refresh()
      return !told.withLock(\.isEmpty)
    }
    #expect(told.withLock(\.self) == [nil])

    backend.answer(nil)
    date.now += 10
    authorization.recheck(waitSeconds: 25) { result in told.withLock { $0.append(result.refusal) } }
    try await until { authenticator.forwardStatistics.underWay == 0 }
    // Its time is over, and ten seconds more.
    for _ in 0..<9 {
      date.now += 1
      authenticator.refresh()
      #expect(told.withLock(\.count) == 1)
    }
    date.now += 1
    try await until {
      authenticator.refresh()
      return told.withLock(\.count) == 2
    }
    #expect(told.withLock { $0.last ?? nil } == .unavailable)
  }

  private func recheck(_ authorization: Authorization) async -> Refusal? {
    await withCheckedContinuation { continuation in
      authorization.recheck { continuation.resume(returning: $0.refusal) }
    }
  }

  @Test func `no more verdicts are kept than may be, and what is denied pushes out no yes`() throws
  {
    var verdicts = ForwardVerdicts()
    func question(_ number: Int) throws -> ForwardQuestion {
      try #require(ForwardQuestion(nil, cookie: Array("\(number)".utf8), inbox))
    }
    let good = try question(-1)
    verdicts.take(
      good.key, .success(good.principal(until: 100, answered: 0, seeing: nil)), until: 100, now: 0)
    for number in 0...ForwardVerdicts.countMax {
      verdicts.take(
        try question(number).key, .failure(.badCredential), until: number < 5 ? 10 : 100,
        now: number < 5 ? 0 : 20)
      #expect(verdicts.count <= ForwardVerdicts.countMax + 1)
    }
    #expect(verdicts.count == ForwardVerdicts.countMax - 3)
    #expect(throws: Never.self) { try verdicts.verdict(good.key, now: 99)?.get() }
    #expect(
      verdicts.verdict(good.key, now: 100) == nil && verdicts.verdict(good.key, now: 99) != nil)
    #expect(verdicts.knows(good.key.caller))
    #expect(try !verdicts.knows(question(7).key.caller))
    verdicts.take(good.key, .failure(.badCredential), until: 0, now: 0)
    #expect(!verdicts.knows(good.key.caller))
  }

  @Test(
    arguments: [
      (["session"], ["a=b; session=1; c"], "session=1"), (["session"], ["Session=1"], nil),
      (["session"], ["session"], nil), (["session"], ["xsession=1; sessionx=2"], nil),
      (["session"], ["session=1;session=2"], "session=1; session=2"),
      (["a", "b"], ["b=2", "x=3;\ta=1 "], "b=2; a=1"),
      (["session"], ["session=\"x=y\""], "session=\"x=y\""),
      (["session"], ["session="], "session="), ([], ["session=1"], nil),
      (["*"], ["a=b;; c"], "a=b; c"),
      (["*"], [" ; "], nil), (["session"], [], nil), (["*"], [], nil),
    ] as [([String], [String], String?)])
  func `only the cookies that are named make a question, and are in it`(
    _ names: [String], _ fields: [String], _ expected: String?
  ) throws {
    let cookies = try #require(ForwardCookies(names))
    let chosen = cookies.chosen(fields.map { Array($0.utf8)[...] })
    #expect(chosen.map { String(decoding: $0, as: UTF8.self) } == expected)
    #expect(cookies.isEmpty == names.isEmpty)
  }

  @Test(arguments: ["", "a b", "a=b", "a;b", "é"])
  func `what is no name of a cookie is refused`(_ name: String) {
    #expect(ForwardCookies([name]) == nil && ForwardCookies(["ok", "*"]) == nil)
  }
}
