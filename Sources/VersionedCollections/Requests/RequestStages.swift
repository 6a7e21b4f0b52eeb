import Synchronization

/// What a traced request spends its time on.
///
/// Stages share the readings of the clock that the metrics are made of where there is such a metric.
/// Nothing is measured for a request without this object.
public final class RequestStages: Sendable {
  /// The kinds of stages; the raw value is the name of the span.
  public enum Kind: String, Sendable, CaseIterable {
    /// From the acceptance of the connection to the first byte of its first request.
    case accept
    /// From the first byte of the request to its last.
    case read
    /// The question to the backend whether the request is allowed.
    case authorize
    /// Reading a client's list, a collection or keys from the store, which are not in memory.
    case load
    /// Parsing the body of a write.
    case parse
    /// The wait for earlier writes to the same collection.
    case line = "wait in line"
    /// The wait of a long poll.
    case news = "wait for news"
    /// Computing a delta; for a reader also judging it.
    case diff
    /// Checking the laws of a delta; part of the stage ``diff``.
    case judge
    /// The store's commit.
    case commit
    /// From the commit of the awaited change to the answer.
    case wake
    /// Encoding an answer.
    case encode
    /// From the answer to the last byte that the socket takes.
    case send
  }

  /// A stage that has ended.
  public struct Stage: Sendable {
    /// What it is.
    public var kind: Kind
    /// When it began, as the service's uptime.
    public var start: Duration
    /// When it ended.
    public var end: Duration

    /// Creates a stage.
    public init(kind: Kind, start: Duration, end: Duration) {
      (self.kind, self.start, self.end) = (kind, start, end)
    }
  }

  fileprivate struct State {
    var stages: [Stage] = []
    var begun: [Kind: Duration] = [:]
    var lostCount = 0
  }

  private let uptime: @Sendable () -> Duration
  private let state = Mutex(State())

  /// The most stages of one request.
  static let stagesMax = 64

  /// Creates an object without stages.
  public init(_ time: TimeSource) { uptime = time.uptime }

  /// Adds a stage; beyond a limit it is only counted.
  public func note(_ kind: Kind, from start: Duration, to end: Duration) {
    state.withLock { $0.add(Stage(kind: kind, start: start, end: end)) }
  }

  /// Begins a stage.
  ///
  /// - Parameters:
  ///   - kind: The stage.
  ///   - start: When it began; `nil` for now.
  public func begin(_ kind: Kind, at start: Duration? = nil) {
    let start = start ?? uptime()
    state.withLock { $0.begun[kind] = start }
  }

  /// Ends a stage, if it was begun.
  ///
  /// - Parameters:
  ///   - kind: The stage.
  ///   - end: When it ended; `nil` for now.
  public func end(_ kind: Kind, at end: Duration? = nil) {
    let end = end ?? uptime()
    state.withLock { state in
      guard let start = state.begun.removeValue(forKey: kind) else { return }
      state.add(Stage(kind: kind, start: start, end: end))
    }
  }

  /// Removes all stages.
  ///
  /// - Parameter end: When stages ended that have only begun.
  /// - Returns: The stages, and the number of those that were only counted.
  public func take(at end: Duration) -> (stages: [Stage], lostCount: Int) {
    state.withLock { state in
      for (kind, start) in state.begun { state.add(Stage(kind: kind, start: start, end: end)) }
      defer { state = State() }
      return (state.stages, state.lostCount)
    }
  }
}

extension RequestStages.State {
  fileprivate mutating func add(_ stage: RequestStages.Stage) {
    guard stages.count < RequestStages.stagesMax else {
      lostCount += 1
      return
    }
    stages.append(stage)
  }
}

extension Optional<RequestStages> {
  /// Performs work as a stage, if the request is traced.
  public func measure<T, Failure: Error>(
    _ kind: RequestStages.Kind, _ work: () throws(Failure) -> T
  ) throws(Failure) -> T {
    guard let self else { return try work() }
    let start = self.now
    defer { self.note(kind, from: start, to: self.now) }
    return try work()
  }
}

extension RequestStages {
  fileprivate var now: Duration { uptime() }
}
