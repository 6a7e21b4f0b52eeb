import Synchronization
import TestSupport
import Testing

@testable import Authentication

/// A backend whose answers a test gives.
private final class Backend: Sendable {
  private struct State {
    var answer: ForwardAnswer?
    var isHeld = false
    var held: [CheckedContinuation<Void, Never>] = []
    var questions: [ForwardQuestion] = []
  }

  private let state = Mutex(State())

  var questions: [ForwardQuestion] { state.withLock { $0.questions } }
  func answer(_ answer: ForwardAnswer?) { state.withLock { $0.answer = answer } }
  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    let held = state.withLock { state in
      state.isHeld = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  func ask(_ question: ForwardQuestion) async -> ForwardAnswer? {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        state.questions.append(question)
        if state.isHeld { state.held.append(continuation) }
        return state.isHeld
      }
      if !isHeld { continuation.resume() }
    }
    return state.withLock { $0.answer }
  }
}

@Suite struct ForwardTests {
  private let date = TestDate()
  private let backend = Backend()
  private let inbox = Requirement.collection(.read, client: "u42", name: "inbox")
  private let caller = Array("session=1".utf8)

  private func authenticator() throws -> Authenticator {
    try Authenticator(
      .text("writer \(digest) write:**"), forward: { [backend] in await backend.ask($0) },
      now: { [date] in date.now })
  }

  /// What becomes of a request with a cookie; nil for yes.
  private func refusal(
    _ authenticator: Authenticator, _ cookie: String = "session=1",
    _ requirement: Requirement? = nil
  ) async -> Refusal? {
    let requirement = requirement ?? inbox
    do throws(Refusal) {
      switch try authenticator.admission(nil, cookie: Array(cookie.utf8)[...], requirement) {
      case .admitted: return nil
      case .undecided(let question):
        return await withCheckedContinuation { continuation in
          authenticator.decide(question, requirement) { result in
            switch result {
            case .success: continuation.resume(returning: nil)
            case .failure(let refusal): continuation.resume(returning: refusal)
            }
          }
        }
      }
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
        case .undecided(let question) = try authenticator.admission(caller[...], cookie: nil, inbox)
      else { throw Refusal.badCredential }
      #expect(question.authorization == caller && question.cookie == nil)
    }
  }

  @Test func `equal callers share one question`() async throws {
    let authenticator = try authenticator()
    backend.answer(ForwardAnswer(status: 200))
    backend.hold()
    let question = try #require(ForwardQuestion(nil, caller[...], inbox))
    let admitted = Atomic(0)
    for _ in 1...20 {
      authenticator.decide(question, inbox) { result in
        if case .success = result { admitted.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    try await until { !backend.questions.isEmpty }
    backend.release()
    try await until { admitted.load(ordering: .relaxed) >= 20 }
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
    guard case .admitted(_?) = try authenticator.admission(key[...], cookie: caller[...], inbox)
    else { throw Refusal.badCredential }
    #expect(throws: Refusal.noCredential) {
      try authenticator.admission(nil, cookie: nil, inbox)
    }
    for requirement in [Requirement.changes, .admin, .credential] {
      #expect(await refusal(authenticator, "session=1", requirement) == .noCredential)
    }
    #expect(backend.questions.isEmpty)
  }

  @Test func `what waits or streams is asked about again, and ends with a no or no answer`()
    async throws
  {
    for last in [ForwardAnswer(status: 403), nil] {
      let authenticator = try authenticator()
      backend.answer(ForwardAnswer(status: 200, cacheControl: "max-age=10"))
      #expect(await refusal(authenticator) == nil)
      let before = backend.questions.count
      guard
        case .admitted(let authorization?) = try authenticator.admission(
          nil, cookie: caller[...], inbox)
      else { throw Refusal.badCredential }
      let hasEnded = Atomic(false)
      let watch = authorization.watch { hasEnded.store(true, ordering: .relaxed) }
      defer { watch.cancel() }
      date.now += 9
      authenticator.refresh()
      #expect(backend.questions.count == before)
      date.now += 1
      #expect(!authorization.isCurrent)
      authenticator.refresh()
      try await until { backend.questions.count != before }
      #expect(await recheck(authorization) == nil)
      let isOver = hasEnded.load(ordering: .relaxed)
      #expect(!isOver)
      date.now += 10
      backend.answer(last)
      authenticator.refresh()
      try await until { hasEnded.load(ordering: .relaxed) }
      #expect(await recheck(authorization) == (last == nil ? .unavailable : .insufficientScope))
    }
  }

  private func recheck(_ authorization: Authorization) async -> Refusal? {
    await withCheckedContinuation { continuation in
      authorization.recheck { continuation.resume(returning: $0) }
    }
  }

  @Test func `no more verdicts and questions are kept than may be`() throws {
    var verdicts = ForwardVerdicts()
    func key(_ number: Int) throws -> ForwardQuestion.Key {
      try #require(ForwardQuestion(nil, Array("\(number)".utf8)[...], inbox)).key
    }
    for number in 0...ForwardVerdicts.countMax {
      _ = verdicts.take(
        try key(number), .failure(.badCredential), until: number < 5 ? 10 : 100,
        now: number < 5 ? 0 : 20)
      #expect(verdicts.count <= ForwardVerdicts.countMax)
    }
    #expect(verdicts.count == ForwardVerdicts.countMax - 4)
    for number in 0..<ForwardVerdicts.questionsMax {
      #expect(verdicts.want(try key(number)) { _ in } == .ask)
    }
    #expect(verdicts.want(try key(0)) { _ in } == .wait)
    #expect(verdicts.want(try key(-1)) { _ in } == .refuse)
    #expect(verdicts.take(try key(0), .failure(.unavailable), until: 0, now: 0).count == 2)
    #expect(verdicts.want(try key(-1)) { _ in } == .ask)
  }
}
