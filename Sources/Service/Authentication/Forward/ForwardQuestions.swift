/// The questions to the backend that are under way, and those in line.
///
/// Rechecks, about requests that were authorized and wait or stream, are as many as those, and none is refused.
/// New requests of callers that the backend knows have a share for each caller, all others one for each address.
/// The first two take turns, and the others have every eighth; a turn without a question is the next one's. Callers
/// that nobody knows never have all connections, so that a question that matters waits for no slow answer about
/// them.
///
/// Equal questions are one. Without an answer a recheck is repeated, for as long as its request can wait.
struct ForwardQuestions {
  typealias Completion = @Sendable (ForwardVerdicts.Verdict) -> Void

  /// On whose account a question is put, the most urgent first.
  enum Line: Int, CaseIterable {
    case recheck, known, unknown
  }

  struct Waiter {
    /// When it gives up, in seconds since 1970, unless the question is under way.
    let until: Int64
    /// Whether the question is put again when there is no answer.
    let isPatient: Bool
    let completion: Completion
  }

  private struct Entry {
    let question: ForwardQuestion
    var line: Line
    var waiters: [Waiter]
    var state = State.inLine

    enum State {
      case inLine, underWay, resting
    }

    var party: Party {
      line == .unknown ? .address(question.network) : .caller(question.key.caller)
    }
  }

  private enum Party: Hashable {
    case caller(CredentialHash), address(UInt64)
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
  private var lines = Line.allCases.map { _ in FairLine<Party, ForwardQuestion.Key>() }
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
    guard var entry = entries.removeValue(forKey: key) else {
      let entry = Entry(question: question, line: line, waiters: [waiter])
      guard hasRoom(entry) else { return false }
      join(entry)
      return true
    }
    entry.waiters.append(waiter)
    if entry.state == .inLine, line.rawValue < entry.line.rawValue {
      entry.line = line
      join(entry)
    } else {
      entries[key] = entry
    }
    return true
  }

  private func hasRoom(_ entry: Entry) -> Bool {
    let line = lines[entry.line.rawValue]
    let own = line.count(of: entry.party)
    return switch entry.line {
    case .recheck: true
    case .known: line.count < Self.knownMax && own < Self.perCallerMax
    case .unknown:
      line.count < Self.strangersMax
        && own < (line.count < Self.unknownMax ? Self.perAddressMax : Self.perAddressMin)
    }
  }

  private mutating func join(_ entry: Entry) {
    entries[entry.question.key] = entry
    lines[entry.line.rawValue].append(entry.question.key, of: entry.party)
  }

  /// Takes the questions that are to be put now.
  mutating func start() -> [ForwardQuestion] {
    var started: [ForwardQuestion] = []
    while underWay < connectionsMax, let key = next() {
      // It may be in two lines.
      guard let entry = entries[key], entry.state == .inLine else { continue }
      entries[key]?.state = .underWay
      underWay += 1
      if entry.line == .unknown { unknownUnderWay += 1 }
      started.append(entry.question)
    }
    return started
  }

  private mutating func next() -> ForwardQuestion.Key? {
    turn &+= 1
    let mayBeUnknown = unknownUnderWay < max(1, connectionsMax - connectionsMax / 4)
    let first: Line = turn % Self.unknownTurns == 0 ? .unknown : turn % 2 == 0 ? .recheck : .known
    for line in [first] + Line.allCases where line != .unknown || mayBeUnknown {
      if let key = lines[line.rawValue].popFirst() { return key }
    }
    return nil
  }

  /// Ends a question that was under way, and returns who gets the verdict.
  mutating func end(_ key: ForwardQuestion.Key, isAnswered: Bool, now: Int64) -> [Waiter] {
    guard var entry = entries.removeValue(forKey: key), entry.state == .underWay else { return [] }
    underWay -= 1
    if entry.line == .unknown { unknownUnderWay -= 1 }
    defer { isSilent = !isAnswered }
    guard !isAnswered else {
      if isSilent { wake(resting.count) }
      return entry.waiters
    }
    let patient = entry.waiters.filter { $0.isPatient && now < $0.until }
    let ended = entry.waiters.filter { !($0.isPatient && now < $0.until) }
    guard !patient.isEmpty else { return ended }
    // It has lost nothing but time: it goes on as a recheck.
    (entry.state, entry.line, entry.waiters) = (.resting, .recheck, patient)
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
    for (key, entry) in entries where entry.state != .underWay {
      let late = entry.waiters.filter { $0.until <= now }
      if late.isEmpty { continue }
      ended += late
      entries[key]?.waiters.removeAll { $0.until <= now }
      if late.count == entry.waiters.count { entries[key] = nil }
    }
    if !ended.isEmpty {
      let entries = entries
      for line in lines.indices { lines[line].keep { entries[$0] != nil } }
      resting.removeAll { entries[$0] == nil }
    }
    wake(isSilent ? connectionsMax : resting.count)
    return ended
  }

  private mutating func wake(_ count: Int) {
    for key in resting.prefix(count) {
      guard var entry = entries[key], entry.state == .resting else { continue }
      entry.state = .inLine
      join(entry)
    }
    resting.removeFirst(min(count, resting.count))
  }
}
