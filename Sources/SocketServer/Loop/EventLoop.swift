import CEpoll
import Dispatch
import Glibc
import HTTP1
import Synchronization

/// One epoll descriptor with its serial queue, and the connections that it owns.
///
/// Dispatch watches the descriptor, not the connections: its source wakes the queue, which serves
/// all that is ready, waits a moment for more in `epoll_wait` itself, and only then gives its thread
/// back. A busy loop so never pays for a hop between threads, and an idle one costs nothing.
///
/// `@unchecked Sendable`: everything that is `var` is used on `queue` only; other threads post
/// messages.
final class EventLoop: @unchecked Sendable {
  let state: ServerState
  /// Its place among the server's loops.
  let number: Int
  let limits: ServerLimits
  let timeouts: Timeouts
  let clock: ServerClock
  let queue: DispatchQueue
  let epoll: Int32
  let timer: Int32
  let mailbox = Mailbox()
  /// The thread that runs the loop now; 0 for none.
  private let owner = Atomic<UInt>(0)
  private var source: (any DispatchSourceRead)?
  private let ready = Pinned(ReadyList())

  let buffer = ReceiveBuffer()
  let scratch: Pinned<ReaderScratch>
  /// Responses of the connection that is being processed, not sent yet.
  let outputBuffer = Pinned(OutputBuffer(capacity: 64 << 10))
  /// The connection that is being processed.
  var current: ObjectIdentifier?
  /// Messages that the loop sent to itself.
  var local: [LoopMessage] = []
  private var spare: [LoopMessage] = []
  /// Connections by descriptor.
  var connections: [Connection?] = []
  var connectionCount = 0
  var generation: UInt32 = 0
  /// Streams with something to send, a slice of which is served between requests.
  private var pendingStreams: ArraySlice<ResponseStream> = []
  /// Connections that had their share, and have more to read.
  var deferred: [Connection] = []
  /// The requests of one connection that are served before others are processed: the fewer, the
  /// more connections are ready.
  private(set) var requestsPerPass = 1

  var now: UInt64
  let wheel: TimerWheel
  /// When the timer fires, in the loop's milliseconds; `.max` if it does not.
  var timerAt = UInt64.max
  private var date: [UInt8] = []
  private var dateSecond = -1
  private var dateIsFresh = false

  // Only the first loop accepts.
  var listening: [(socket: ListeningSocket, service: Service)] = []
  var peers: [EventLoop] = []
  var nextPeer = 0
  /// When accepting is tried again; `.max` if it is not paused.
  var acceptAt = UInt64.max

  /// When connections are asked to give way again, after there was too little to gain.
  var nextReclaim: UInt64 = 0

  /// Every response is the last of its connection.
  var endsSoon = false
  var isDraining = false
  /// What is still there is broken off, and so is what comes.
  var isAborted = false
  private var isStopped = false

  /// How long connections that had their share are served before new requests.
  private static let deferredMilliseconds: UInt64 = 2
  /// The fewest pipelined requests of a connection that are served in one pass, however many are ready.
  private static let requestsPerPassMin = 4
  /// How many streams are served before requests: less than a millisecond's work.
  private static let streamsPerPass = 64
  /// How long an idle loop waits for more before it gives its thread back: long enough for requests
  /// that come now and then to be spared two hops between threads each.
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

  /// Begins to serve.
  func start() {
    _ = cepoll_add(epoll, mailbox.descriptor, cepoll_in, EpollToken.mailbox)
    _ = cepoll_add(epoll, timer, cepoll_in, EpollToken.timer)
    let source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
    source.setEventHandler { [self] in run() }
    // A descriptor that a source watches is closed only when the source has released it.
    source.setCancelHandler { [epoll, timer] in
      Glibc.close(epoll)
      Glibc.close(timer)
    }
    self.source = source
    clock.onAdvance? { [weak self] in self?.mailbox.post(.run { $0.timePassed() }) }
    source.activate()
  }

  /// Ends the loop, whose connections are closed already.
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
      accept(Int(token - EpollToken.listeners))
    default:
      let descriptor = Int(UInt32(truncatingIfNeeded: token))
      guard descriptor < connections.count, let connection = connections[descriptor],
        connection.token == token
      else { return }
      ready(connection, events)
    }
  }

  /// Limits the requests that one connection is served in a pass over `count` ready ones: with many
  /// full pipelines, the last connection would wait for all of them.
  private func shareRequests(among count: Int) {
    let share = max(Self.requestsPerPassMin, limits.pipelineDepthMax / count)
    requestsPerPass = min(share, limits.pipelineDepthMax)
  }

  /// Handles what the loop sent to itself; what that brings waits until others are processed.
  private func takeLocal() {
    guard !local.isEmpty else { return }
    let messages = local
    local = []
    for message in messages { handle(message) }
  }

  /// Takes a stream that has something to send; it is served after the requests at hand.
  func enqueue(_ stream: ResponseStream) { pendingStreams.append(stream) }

  private func pumpStreams() {
    for stream in pendingStreams.prefix(Self.streamsPerPass) { pump(stream) }
    pendingStreams = pendingStreams.dropFirst(Self.streamsPerPass)
    if pendingStreams.isEmpty { pendingStreams = [] }
  }

  /// Processes connections again, until others must not wait any longer.
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

  /// The line of `Date`, rendered once a second.
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

/// The timeouts in the loop's milliseconds.
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

/// The marks of what is ready that is no connection; those of connections have the high bit clear.
enum EpollToken {
  static let listeners: UInt64 = 1 << 63
  static let mailbox: UInt64 = 1 << 62
  static let timer: UInt64 = 1 << 62 | 1
  /// Generations stay clear of these bits.
  static let generationMask: UInt32 = 0x3FFF_FFFF
}
