/// The questions to the backend that are under way, and those in line.
///
/// There are three lines. Rechecks, about requests that were authorized and wait or stream, are as many as those, and
/// none is refused. New requests of callers that the backend knows have a share for each caller, all others
/// one for each address. The first two lines take turns, and the third has every eighth; when a line is
/// empty its turns are the others'. Callers that nobody knows never have all connections, so that a
/// question that matters waits for no slow answer about them.
///
/// Equal questions are one. Without an answer a recheck is repeated, for as long as its request can wait.
struct ForwardQuestions {
  /// Receives a verdict.
  typealias Completion = @Sendable (ForwardVerdicts.Verdict) -> Void

  /// On whose account a question is put, the most urgent first.
  enum Line: Int, Comparable {
    case recheck, known, unknown

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Who waits for a verdict.
  struct Waiter {
    /// When it gives up, in seconds since 1970, unless the question is under way.
    let until: Int64
    /// Whether the question is put again when there is no answer.
    let isPatient: Bool
    let completion: Completion
  }

  private enum State {
    case inLine, underWay(Line), resting
  }

  private struct Entry {
    let question: ForwardQuestion
    var line: Line
    var state = State.inLine
    var waiters: [Waiter]
  }

  /// The most questions that wait for one known caller, and for all.
  static let (perCallerMax, knownMax) = (64, 10_000)
  /// The most questions that wait for the unknown callers of one address, and of all.
  static let (perAddressMax, unknownMax) = (1024, 4096)
  /// The questions that each address may have in line although others have `unknownMax`, and the most of
  /// all with those.
  static let (perAddressMin, strangersMax) = (16, 10_000)
  /// Seconds that the question about a new request waits in line at most.
  static let lineSeconds: Int64 = 3
  private static let unknownTurns = 8

  private let connectionsMax: Int
  private var entries: [ForwardQuestion.Key: Entry] = [:]
  private var rechecks = FairLine<CredentialHash, ForwardQuestion.Key>()
  private var known = FairLine<CredentialHash, ForwardQuestion.Key>()
  private var unknown = FairLine<UInt64, ForwardQuestion.Key>()
  private var resting: [ForwardQuestion.Key] = []
  private var turn = 0
  private var unknownUnderWay = 0
  /// Whether the last question had no answer.
  private var isSilent = false
  private(set) var underWay = 0

  init(connectionsMax: Int) { self.connectionsMax = max(1, connectionsMax) }

  var waiting: Int { entries.count - underWay }

  /// Adds somebody who waits for a verdict; returns whether there was room.
  mutating func add(_ question: ForwardQuestion, _ line: Line, _ waiter: Waiter) -> Bool {
    let key = question.key
    if var entry = entries.removeValue(forKey: key) {
      entry.waiters.append(waiter)
      if case .inLine = entry.state, line < entry.line {
        entry.line = line
        join(line, question)
      }
      entries[key] = entry
      return true
    }
    guard hasRoom(line, question) else { return false }
    entries[key] = Entry(question: question, line: line, waiters: [waiter])
    join(line, question)
    return true
  }

  private func hasRoom(_ line: Line, _ question: ForwardQuestion) -> Bool {
    switch line {
    case .recheck: true
    case .known:
      known.count < Self.knownMax && known.count(of: question.key.caller) < Self.perCallerMax
    case .unknown:
      unknown.count < Self.strangersMax
        && unknown.count(of: question.network)
          < (unknown.count < Self.unknownMax ? Self.perAddressMax : Self.perAddressMin)
    }
  }

  private mutating func join(_ line: Line, _ question: ForwardQuestion) {
    switch line {
    case .recheck: rechecks.append(question.key, of: question.key.caller)
    case .known: known.append(question.key, of: question.key.caller)
    case .unknown: unknown.append(question.key, of: question.network)
    }
  }

  /// Takes the questions that are to be put now.
  mutating func start() -> [ForwardQuestion] {
    var started: [ForwardQuestion] = []
    while underWay < connectionsMax, let key = next() {
      // It may be in two lines.
      guard case .inLine? = entries[key]?.state, let entry = entries[key] else { continue }
      entries[key]?.state = .underWay(entry.line)
      underWay += 1
      if entry.line == .unknown { unknownUnderWay += 1 }
      started.append(entry.question)
    }
    return started
  }

  private mutating func next() -> ForwardQuestion.Key? {
    turn &+= 1
    let mayBeUnknown = unknownUnderWay < max(1, connectionsMax - connectionsMax / 4)
    if mayBeUnknown, turn % Self.unknownTurns == 0, let key = unknown.popFirst() { return key }
    let key =
      turn % 2 == 0
      ? rechecks.popFirst() ?? known.popFirst() : known.popFirst() ?? rechecks.popFirst()
    return key ?? (mayBeUnknown ? unknown.popFirst() : nil)
  }

  /// Ends a question that was under way, and returns who gets the verdict.
  mutating func end(_ key: ForwardQuestion.Key, isAnswered: Bool, now: Int64) -> [Waiter] {
    guard var entry = entries.removeValue(forKey: key), case .underWay(let line) = entry.state
    else {
      return []
    }
    underWay -= 1
    if line == .unknown { unknownUnderWay -= 1 }
    defer { isSilent = !isAnswered }
    guard !isAnswered else {
      if isSilent { wake(resting.count) }
      return entry.waiters
    }
    let isPatient: (Waiter) -> Bool = { $0.isPatient && now < $0.until }
    let ended = entry.waiters.filter { !isPatient($0) }
    entry.waiters.removeAll { !isPatient($0) }
    guard !entry.waiters.isEmpty else { return ended }
    // It has lost nothing but time: it goes on as a recheck.
    (entry.state, entry.line) = (.resting, .recheck)
    entries[key] = entry
    resting.append(key)
    return ended
  }

  /// Puts questions without an answer in line again, and ends those that have waited too long; called
  /// about every second.
  ///
  /// While the backend does not answer, as many are repeated as there are connections; as soon as it does, all.
  ///
  /// - Returns: Who gets no verdict.
  mutating func tick(now: Int64) -> [Waiter] {
    var ended: [Waiter] = []
    for (key, entry) in entries where entry.waiters.contains(where: { $0.until <= now }) {
      if case .underWay = entry.state { continue }
      ended += entry.waiters.filter { $0.until <= now }
      entries[key]?.waiters.removeAll { $0.until <= now }
      if entries[key]?.waiters.isEmpty ?? false { entries[key] = nil }
    }
    if !ended.isEmpty { dropEnded() }
    wake(isSilent ? connectionsMax : resting.count)
    return ended
  }

  private mutating func dropEnded() {
    let entries = entries
    rechecks.keep { entries[$0] != nil }
    known.keep { entries[$0] != nil }
    unknown.keep { entries[$0] != nil }
    resting.removeAll { entries[$0] == nil }
  }

  private mutating func wake(_ count: Int) {
    for key in resting.prefix(count) {
      guard case .resting? = entries[key]?.state, let question = entries[key]?.question else {
        continue
      }
      entries[key]?.state = .inLine
      join(.recheck, question)
    }
    resting.removeFirst(min(count, resting.count))
  }
}
