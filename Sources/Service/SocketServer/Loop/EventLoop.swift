import CEpoll
import Dispatch
import Glibc
import HTTP1
import Synchronization

/// An epoll descriptor with a serial queue, and the connections it owns.
///
/// Dispatch watches the epoll descriptor, not the connections. Its source wakes the queue, which
/// handles everything that is ready, spins briefly in `epoll_wait` for more, and only then returns
/// the thread. A busy loop thus makes no thread hops, and an idle one costs nothing.
///
/// `@unchecked Sendable`: every `var` is used on `queue` only; other threads post messages.
final class EventLoop: @unchecked Sendable {
  let state: ServerState
  /// The index of the loop in its server.
  let number: Int
  let limits: ServerLimits
  let timeouts: Timeouts
  let clock: ServerClock
  let queue: DispatchQueue
  let epoll: Int32
  let timer: Int32
  let mailbox = Mailbox()
  /// The thread currently running the loop; 0 for none.
  private let owner = Atomic<UInt>(0)
  private var source: (any DispatchSourceRead)?
  private let ready = Pinned(ReadyList())

  let buffer = ReceiveBuffer()
  let scratch: Pinned<ReaderScratch>
  let knownHeads = Pinned(KnownHeads())
  /// Unsent responses of the connection being processed.
  let outputBuffer = Pinned(OutputBuffer(capacity: 64 << 10))
  /// The connection being processed.
  var current: Connection?
  /// Messages that the loop has posted to itself.
  var local: [LoopMessage] = []
  private var spare: [LoopMessage] = []
  /// The open connections, by descriptor.
  var connections: [Connection?] = []
  var connectionCount = 0
  var generation: UInt32 = 0
  /// Streams with output, some of which are served between requests.
  private var pendingStreams: ArraySlice<ResponseStream> = []
  /// Connections that have used up their budget for a pass and may have more to read.
  var deferred: [Connection] = []
  /// The requests of one connection that are handled before other connections are processed; fewer
  /// when more connections are ready.
  private(set) var requestsPerPass = 1

  var now: UInt64
  let wheel: TimerWheel
  /// When the timer fires, in the loop's milliseconds; `.max` if it is not set.
  var timerAt = UInt64.max
  private var date: [UInt8] = []
  private var dateSecond = -1
  private var dateIsFresh = false

  // Only the first loop accepts.
  var listening: [(socket: ListeningSocket, service: Service)] = []
  var peers: [EventLoop] = []
  var nextPeer = 0
  /// When accepting is retried; `.max` if it is not paused.
  var acceptAt = UInt64.max

  /// The earliest time to reclaim again after too little could be freed.
  var nextReclaim: UInt64 = 0

  /// Whether every connection closes after its next response.
  var endsSoon = false
  var isDraining = false
  /// Whether remaining and new connections are closed at once.
  var isAborted = false
  private var isStopped = false

  /// How long deferred connections are processed before new requests, in milliseconds.
  private static let deferredMilliseconds: UInt64 = 2
  /// The minimum of `requestsPerPass`, however many connections are ready.
  private static let requestsPerPassMin = 4
  /// How many streams are served before requests: less than a millisecond of work.
  private static let streamsPerPass = 64
  /// How long an idle loop waits for events before it returns its thread: long enough to save two
  /// thread hops per request under light load.
  private static let idleSpinMilliseconds: Int32 = 50

  init(_ state: ServerState, number: Int) {
    self.state = state
    self.number = number
    limits = state.configuration.limits
    timeouts = Timeouts(limits)
    clock = state.configuration.clock
    queue = DispatchQueue(label: "livedelta.loop.\(number)")
    epoll = cepoll_create()
    timer = cepoll_timer()
    scratch = Pinned(ReaderScratch(limits: limits.request))
    now = clock.milliseconds()
    wheel = TimerWheel(now: now)
  }

  func start() {
    // Fails only without descriptors, and then the listeners could not be opened, which was told.
    _ = cepoll_add(epoll, mailbox.descriptor, cepoll_in, EpollToken.mailbox)
    _ = cepoll_add(epoll, timer, cepoll_in, EpollToken.timer)
    let source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
    source.setEventHandler { [self] in run() }
    // A descriptor may be closed only after its dispatch source has been cancelled.
    source.setCancelHandler { [epoll, timer] in
      Glibc.close(epoll)
      Glibc.close(timer)
    }
    self.source = source
    clock.onAdvance? { [weak self] in
      guard let self else { return }
      mailbox.post(.run { self.timePassed() })
    }
    source.activate()
  }

  /// Stops the loop; its connections must be closed.
  func stop() {
    isStopped = true
    peers = []
    mailbox.close()
    source?.cancel()
    source = nil
  }

  /// Whether the caller runs on this loop.
  var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  func post(_ message: LoopMessage) {
    if isCurrent {
      local.append(message)
    } else {
      mailbox.post(message)
    }
  }

  private func run() {
    owner.store(UInt(pthread_self()), ordering: .relaxed)
    defer { owner.store(0, ordering: .relaxed) }
    var timeout: Int32 = 0
    while !isStopped {
      let isDone = deferred.isEmpty && local.isEmpty && pendingStreams.isEmpty
      ready.value.wait(epoll, milliseconds: isDone ? timeout : 0)
      let count = ready.value.count
      if count == 0, isDone {
        if timeout > 0 { return }
        timeout = Self.idleSpinMilliseconds
        continue
      }
      now = clock.milliseconds()
      dateIsFresh = false
      shareRequests(among: max(1, count))
      for index in 0..<count {
        let (token, events) = ready.value[index]
        dispatch(token, events)
      }
      takeLocal()
      takeDeferred()
      pumpStreams()
      timeout = Self.idleSpinMilliseconds
    }
  }

  private func dispatch(_ token: UInt64, _ events: UInt32) {
    switch token {
    case EpollToken.mailbox:
      var streams: [ResponseStream] = []
      mailbox.take(spare: &spare, streams: &streams)
      pendingStreams += streams
      takeLocal()
      for message in spare { handle(message) }
      spare.removeAll(keepingCapacity: spare.count < 1024)
    case EpollToken.timer:
      cepoll_clear(timer)
      timerAt = .max
      timePassed()
    case EpollToken.listeners...:
      acceptSome(Int(token - EpollToken.listeners))
    default:
      if let connection = connection(token) { ready(connection, events) }
    }
  }

  /// Sets how many requests of one connection are handled per pass over `count` ready ones;
  /// otherwise, with many full pipelines, the last connection would wait for all others.
  private func shareRequests(among count: Int) {
    let share = max(Self.requestsPerPassMin, limits.pipelineDepthMax / count)
    requestsPerPass = min(share, limits.pipelineDepthMax)
  }

  /// Handles the messages the loop has posted to itself; those that they post in turn wait for the
  /// next pass.
  private func takeLocal() {
    guard !local.isEmpty else { return }
    let messages = local
    local = []
    for message in messages { handle(message) }
  }

  /// Queues a stream that has output; it is served after pending requests.
  func enqueue(_ stream: ResponseStream) { pendingStreams.append(stream) }

  private func pumpStreams() {
    for stream in pendingStreams.prefix(Self.streamsPerPass) { pump(stream) }
    pendingStreams = pendingStreams.dropFirst(Self.streamsPerPass)
    if pendingStreams.isEmpty { pendingStreams = [] }
  }

  /// Processes deferred connections until their share of time is used up.
  private func takeDeferred() {
    guard !deferred.isEmpty else { return }
    let end = clock.milliseconds() + Self.deferredMilliseconds
    var connections = deferred[...]
    deferred = []
    repeat {
      guard let connection = connections.popFirst() else { return }
      connection.isDeferred = false
      process(connection)
    } while clock.milliseconds() < end
    deferred = connections + deferred
  }

  /// The `Date` line, rendered once a second.
  func dateLine() -> [UInt8] {
    if !dateIsFresh {
      dateIsFresh = true
      let second = clock.secondsSince1970()
      if second != dateSecond {
        dateSecond = second
        date = HTTPDate.line(secondsSince1970: second)
      }
    }
    return date
  }
}

/// The timeouts in milliseconds.
struct Timeouts {
  let header: UInt64
  let idle: UInt64
  let body: UInt64
  let write: UInt64
  let linger: UInt64
  let stall: UInt64

  init(_ limits: ServerLimits) {
    header = limits.headerTimeout.milliseconds
    idle = limits.idleTimeout.milliseconds
    body = limits.bodyTimeout.milliseconds
    write = limits.writeTimeout.milliseconds
    linger = limits.lingerTimeout.milliseconds
    stall = limits.stallTimeout.milliseconds
  }
}

/// The epoll tokens of descriptors that are not connections; a connection's token has its high bits
/// clear.
enum EpollToken {
  static let listeners: UInt64 = 1 << 63
  static let mailbox: UInt64 = 1 << 62
  static let timer: UInt64 = 1 << 62 | 1
  /// Keeps generations clear of these bits.
  static let generationMask: UInt32 = 0x3FFF_FFFF
}
