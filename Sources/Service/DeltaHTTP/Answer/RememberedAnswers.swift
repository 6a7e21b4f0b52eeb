import Authentication
import CollectionService
import Glibc
import HTTP1
import SnapshotJSON
import SocketServer
import Synchronization
import Telemetry
import VersionedCollections

/// What one event loop answered lately, by the whole heads of the requests: who asks the same again is
/// answered there, as long as the collection is what it was and the credential in the head allows it.
///
/// Nothing is decided here: the ordinary route has made each answer, and a request that differs in one byte
/// takes that route again.
final class RememberedAnswers: Sendable {
  fileprivate struct State {
    var answers: [UInt64: RememberedAnswer] = [:]
    var byteCount = 0
    /// The hash of what each connection asked last, by its number: most ask the same again.
    var lastHashes = [UInt64](repeating: 0, count: connectionsMax)
  }

  /// The connections that are told apart, a power of two.
  private static let connectionsMax = 512

  private let bytesMax: Int
  private let state = Mutex(State())
  // Nobody can choose heads that have one hash.
  private static let seed = UInt64.random(in: 0...UInt64.max)

  /// - Parameter bytesMax: About how much memory the answers may take.
  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Finds the answer to a request; nil when the ordinary route has to make it.
  func answer(to request: HTTPRequest, on connection: Int) -> RememberedAnswer? {
    let place = connection & (Self.connectionsMax - 1)
    return state.withLock { state -> RememberedAnswer? in
      var hash = state.lastHashes[place]
      var found = state.answers[hash]
      if found?.answers(request) != true {
        hash = hash64(request.head, seed: Self.seed)
        state.lastHashes[place] = hash
        found = state.answers[hash]
        if found?.answers(request) != true { return nil }
      }
      guard let found, found.isCurrent else {
        state.remove(hash)
        return nil
      }
      return found
    }
  }

  /// Takes an answer; those that are over are forgotten when there is no room, and if that is not
  /// enough, all.
  func insert(_ answer: RememberedAnswer) {
    guard answer.isCurrent, answer.byteCount <= bytesMax / 8 else { return }
    let hash = hash64(answer.request.head, seed: Self.seed)
    state.withLock { state in
      state.remove(hash)
      if state.byteCount + answer.byteCount > bytesMax { state.makeRoom(bytesMax / 2) }
      state.answers[hash] = answer
      state.byteCount += answer.byteCount
    }
  }
}

extension RememberedAnswers.State {
  fileprivate mutating func remove(_ hash: UInt64) {
    byteCount -= answers.removeValue(forKey: hash)?.byteCount ?? 0
  }

  /// Leaves no more bytes than these.
  fileprivate mutating func makeRoom(_ goal: Int) {
    answers = answers.filter { $0.value.isCurrent }
    byteCount = answers.values.reduce(0) { $0 + $1.byteCount }
    if byteCount > goal { (answers, byteCount) = ([:], 0) }
  }
}

/// An answer that holds as long as a collection's head does, and what its request was authorized with.
final class RememberedAnswer: Sendable {
  let request: HTTPRequest
  let head: PublishedHead
  /// The authorization of the request; `nil` if authentication is off.
  private let authorization: Authorization?
  private let budget: Budget?
  /// Whether it was sent to a stranger; those who send the same head are others, each with its own share.
  private let isForStrangers: Bool
  /// Whether shared caches may keep it; found once, as it is asked for each time that it is sent.
  let isPublic: Bool
  /// Without what is each request's own: its id.
  let response: HTTPResponse
  let answered: AnsweredRequest

  init(
    _ request: HTTPRequest, _ head: PublishedHead, _ authorization: Authorization?,
    _ budget: Budget?, isForStrangers: Bool, _ response: HTTPResponse, _ answered: AnsweredRequest
  ) {
    (self.request, self.head, self.authorization, self.budget) = (
      request, head, authorization, budget
    )
    self.isForStrangers = isForStrangers
    isPublic = response.isPublic
    (self.response, self.answered) = (response, answered)
  }

  /// Whether the ordinary route would make it again.
  var isCurrent: Bool {
    head.isCurrent && authorization?.isCurrent ?? true && budget?.rules.areCurrent ?? true
  }

  /// Counts a request that it is to be sent to, against the share of its sender; returns whether it may be.
  func charge(_ shares: Shares, at network: UInt64) -> Bool {
    guard let budget, budget.share != nil else { return true }
    return isForStrangers ? shares.take(budget.rate, ofStrangerAt: network) : budget.take() == nil
  }

  /// About how much memory it takes.
  var byteCount: Int {
    request.headBytes + response.fieldBytes + response.body.count + 2 * AnsweredRequest.byteCount
  }

  /// Whether it is the answer to a request, too.
  func answers(_ other: HTTPRequest) -> Bool {
    let (head, other) = (request.head.span, other.head.span)
    guard head.count == other.count else { return false }
    return unsafe head.withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        guard let start = bytes.baseAddress, let other = others.baseAddress else { return true }
        return unsafe start == other || memcmp(start, other, bytes.count) == 0
      }
    }
  }
}

extension RequestLog {
  /// Sends a cached response, and records the request like any other.
  func send(_ answer: RememberedAnswer, to request: HTTPRequest, _ responder: Responder) {
    let start = time.uptime()
    let number = numbers.next()
    let answered = answer.answered
    var response = answer.response
    if !answer.isPublic { response.appendField("Request-Id", hexadecimalDigits(number).span) }
    crossOrigin.mark(&response, to: request)
    let microseconds = (time.uptime() - start).microseconds
    metrics.count(answered, microseconds: microseconds, isRepeated: true)
    log?.append(
      LogEntry(
        milliseconds: time.milliseconds(), number: number, microseconds: microseconds,
        peer: responder.peer, request: answered))
    // Compared here: a request that is not traced does not so much as retain the tracing.
    if number <= tracedNumberMax {
      tracing?.export(
        answered, TraceContext(childOf: nil, span: number),
        id: RequestID(checked: [UInt8](hexadecimal: number)), from: responder.peer,
        microseconds: microseconds)
    }
    responder.send(response)
  }
}

extension HTTPRequest {
  /// Whether its answer can be another's: nothing of it is in the answer or the log.
  var isRepeatable: Bool {
    (method == .get || isHead) && body.isEmpty && field("request-id") == nil
      && field("traceparent") == nil
  }
}
