import VersionedCollections

/// What all streams have in common: when they ping and end, and when they can be written to.
///
/// Nothing is queued while the connection is not writable, or while an event is being made; what
/// comes next then includes all changes since.
struct Stream {
  let sink: StreamSink
  private let interval: Duration
  private var nextPing: Duration
  /// Whether a ping was due while an event was being made.
  private var isPingDue = false
  private var end: Duration
  private var isWritable: Bool
  /// Whether an event is being made or sent.
  private(set) var isBusy = false
  /// Whether there may be something to send.
  var hasNews = true

  init(
    _ sink: StreamSink, isWritable: Bool, ping: Duration, lifetime: Duration, now: Duration
  ) {
    self.sink = sink
    self.isWritable = isWritable
    interval = ping
    nextPing = now + ping
    end = now + lifetime
  }

  /// Whether an event can be made.
  var canSend: Bool { isWritable && !isBusy }

  /// Considers why the stream is evaluated; returns why it ends; nil if it goes on.
  mutating func receive(
    _ event: ReaderEvent, at now: Duration, isReleasing: Bool
  ) -> EndReason? {
    switch event {
    case .begun, .changed, .deleted, .loaded: hasNews = true
    case .writable: isWritable = true
    case .failed: return .overload
    case .deadline where isReleasing: return .drain
    case .deadline, .waitEnded, .sent: break
    }
    return now >= end ? .rotate : nil
  }

  /// Has the stream end with the next evaluation.
  mutating func expire(_ now: Duration) { end = min(end, now) }

  /// Records that an event is being made.
  mutating func beginSending() { isBusy = true }

  /// Records that an event with news is on its way, which makes a ping unnecessary.
  mutating func postponePing(_ now: Duration) { (nextPing, isPingDue) = (now + interval, false) }

  /// Records that an event was sent.
  mutating func endSending(isWritable: Bool) {
    isBusy = false
    self.isWritable = isWritable
  }

  /// Returns whether a ping is to be sent now; one that is due while an event is made waits for what becomes of it.
  mutating func pings(at now: Duration) -> Bool {
    if now >= nextPing { (nextPing, isPingDue) = (now + interval, true) }
    guard isPingDue, !isBusy else { return false }
    isPingDue = false
    isBusy = isWritable
    return isWritable
  }

  /// When the stream must be evaluated next, whatever happens.
  var deadline: Duration { min(nextPing, end) }
}

/// Where a stream's events go; only the driver calls it.
enum StreamSink: Sendable {
  case collections(FollowSink)
  case changes(ChangeSink)
}

/// Called with the first answer, or an error; see ``DeltaService/follow(_:_:_:begin:)``.
typealias FollowStart =
  @Sendable (Result<SyncAnswer, ServiceFailure>) -> (sink: FollowSink, isWritable: Bool)?

/// Called with an error or nil; see ``DeltaService/followChanges(_:_:begin:)``.
typealias ChangesStart = @Sendable (ServiceError?) -> ChangeSink?

enum StreamStart: Sendable {
  case collections(FollowStart, SyncAnswer)
  case changes(ChangesStart)

  /// Begins the stream; returns its sink, and whether it can be written to; nil if it has ended.
  func perform() -> (sink: StreamSink, isWritable: Bool)? {
    switch self {
    case .collections(let begin, let first):
      begin(.success(first)).map { (.collections($0.sink), $0.isWritable) }
    case .changes(let begin): begin(nil).map { (.changes($0), true) }
    }
  }
}

/// An event on a stream, and where it goes.
enum StreamMessage: Sendable {
  case collections(FollowSink, FollowEvent)
  case changes(ChangeSink, ChangeEvent)

  /// Sends the event; returns whether the stream can be written to afterwards.
  func send() -> Bool {
    switch self {
    case .collections(let sink, let event): sink(event)
    case .changes(let sink, let event): sink(event)
    }
  }

  /// A keep-alive.
  static func ping(_ sink: StreamSink) -> StreamMessage {
    switch sink {
    case .collections(let sink): .collections(sink, .ping)
    case .changes(let sink): .changes(sink, .ping)
    }
  }

  /// The last event.
  static func end(_ sink: StreamSink, _ reason: EndReason) -> StreamMessage {
    switch sink {
    case .collections(let sink): .collections(sink, .end(reason))
    case .changes(let sink): .changes(sink, .end(reason))
    }
  }
}
