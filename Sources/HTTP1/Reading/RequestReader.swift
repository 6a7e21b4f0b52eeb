/// What the readers of one event loop share: the limits, and what a head is read with.
public struct ReaderScratch: Sendable {
  /// What a request may take.
  public let limits: RequestLimits
  /// Always at its start between calls; its buffer is kept.
  var progress = HeadProgress()

  /// Makes a scratch for readers with these limits.
  public init(limits: RequestLimits) { self.limits = limits }
}

/// Reads the requests of one connection: bytes in, events out, no I/O and no clock.
///
/// Give it what was received and call ``next(_:at:scratch:)`` until it says
/// ``RequestEvent/incomplete``. A head that lies whole in the bytes is read in place and copied
/// once, into its request; the pieces of one that does not are kept here until it is whole. An idle
/// reader is two words and owns no buffer.
///
/// After ``RequestEvent/refused(_:)`` it never reads another byte as a request: where the next one
/// begins is no longer known (RFC 9112 §11.2).
public struct RequestReader: Sendable {
  /// Boxed when there is anything to keep, so that a reader between requests costs nothing.
  indirect enum State {
    case ready
    case head(PartialHead)
    case body(PendingBody)
    case refused(RequestError)
  }

  var state = State.ready
  /// What has come of the body being read.
  ///
  /// Not in its box: there it would be copied with each piece, since taking a value out of a box
  /// leaves two who hold it.
  var content: [UInt8] = []

  /// Makes a reader at the start of a connection.
  public init() {}

  /// Whether a request has begun and is not complete.
  public var isMidRequest: Bool {
    switch state {
    case .ready, .refused: false
    case .head, .body: true
    }
  }

  /// Whether a body is being read.
  public var isMidBody: Bool {
    guard case .body = state else { return false }
    return true
  }

  /// The bytes of an unfinished request that are held here.
  public var bufferedBytes: Int {
    switch state {
    case .ready, .refused: 0
    case .head(let head): head.bytes.count
    case .body(let body):
      body.request.headBytes + content.count + (body.decoder?.heldBytes ?? 0)
    }
  }

  /// The bytes of the body being read that have come, those that were dropped too.
  public var bodyBytes: Int {
    guard case .body(let body) = state else { return 0 }
    return body.received
  }

  /// The bytes that are known to follow of the body being read, as many as are of use in one call; 0
  /// where none are known to.
  public var expectedBodyBytes: Int {
    guard case .body(let body) = state else { return 0 }
    let remaining =
      switch body.framing {
      case .length(let remaining): remaining
      case .chunks(let chunks): chunks.step == .data ? chunks.remaining : 0
      }
    return min(remaining, body.quota)
  }

  /// Drops the body that follows the head just found, instead of keeping it.
  public mutating func discardBody() {
    guard case .body(var body) = state else { return }
    body.discards = true
    content = []
    state = .body(body)
  }

  /// Reads on, up to the next event.
  ///
  /// - Parameters:
  ///   - bytes: what was received.
  ///   - position: where to go on in it; moved behind what was taken.
  ///   - scratch: the limits, and what is lent for the call.
  /// - Returns: the next event; at ``RequestEvent/incomplete`` all bytes were taken.
  public mutating func next(
    _ bytes: Span<UInt8>, at position: inout Int, scratch: inout ReaderScratch
  ) -> RequestEvent {
    do throws(RequestError) {
      switch state {
      case .ready: return try readHead(bytes, &position, &scratch)
      case .head(let head): return try readOn(head, bytes, &position, &scratch)
      case .body(let body): return try readOn(body, bytes, &position, scratch.limits)
      case .refused(let error): return .refused(error)
      }
    } catch {
      scratch.progress.reset()
      content = []
      state = .refused(error)
      return .refused(error)
    }
  }
}
