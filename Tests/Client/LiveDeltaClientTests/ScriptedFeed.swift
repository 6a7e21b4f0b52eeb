import DeltaEngine
import LiveDeltaClient
import LiveDeltaCurl
import LiveDeltaURLSession
import TestSupport

/// The transports that the same tests hold against a scripted peer.
enum TransportKind: CaseIterable, Sendable {
  case curl, urlSession

  /// A client of a peer.
  func client(
    _ peer: ScriptedPeer, tokens: @escaping DeltaClient.TokenProvider = { _ in nil }
  ) throws -> DeltaClient {
    DeltaClient(try ServerAddress(peer.address), transport: transport, tokens: tokens)
  }

  /// A client whose pauses between writes end at once, and are as long as they may be.
  func client(_ peer: ScriptedPeer, _ clock: PauseLog) throws -> DeltaClient {
    var repeats = WriteRepeats()
    repeats.clock = clock
    repeats.random = { $0.upperBound }
    return DeltaClient(
      try ServerAddress(peer.address), transport: transport, repeats: repeats, tokens: { _ in nil })
  }

  private var transport: any DeltaTransport {
    switch self {
    case .curl: CurlTransport()
    case .urlSession: URLSessionTransport()
    }
  }
}

extension ScriptedPeer.Script {
  /// A stream that ends with these events, or goes on without one.
  static func events(_ text: String, closes: Bool = true) -> Self {
    .init(
      answer: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        + text, closes: closes)
  }

  /// A service that has too much to do.
  static let busy = ScriptedPeer.Script(body: #"{"code":"overloaded"}"#, status: 503)
}

extension FeedOptions {
  /// Options with pauses that end at once, and as long as they may be.
  init(_ clock: PauseLog) {
    self.init()
    self.clock = clock
    random = { $0.upperBound }
    firstEventLimit = .seconds(600)
  }
}

/// A clock whose sleepers wake at once, and that notes how long they meant to sleep.
final class PauseLog: Clock {
  private let manual = ManualClock()
  private let log = Locked<[Duration]>([])

  var now: ManualClock.Instant { manual.now }
  var minimumResolution: Duration { .nanoseconds(1) }
  var pauses: [Duration] { log.withLock { $0 } }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    let pause = manual.now.duration(to: deadline)
    log.withLock { $0.append(pause) }
    manual.advance(by: pause)
    try Task.checkCancellation()
  }
}
