/// The limits and parser state that the readers of one event loop share.
public struct ReaderScratch: Sendable {
  /// The limits on a request.
  public let limits: RequestLimits
  /// Reset after every call; its buffer is kept.
  var progress = HeadProgress()

  /// Creates scratch state for readers with these limits.
  public init(limits: RequestLimits) { self.limits = limits }
}

/// Parses the requests of one connection: bytes in, events out, without I/O or a clock.
///
/// Pass in what was received, and call ``next(_:at:scratch:)`` until it returns
/// ``RequestEvent/incomplete``. A head that is contiguous in the bytes is parsed in place and
/// copied once, into its request; the pieces of any other are buffered here until it is complete.
/// An idle reader is two words and owns no buffer.
///
/// After ``RequestEvent/refused(_:)`` no further byte is read as a request, because the start of
/// the next one is unknown (RFC 9112 §11.2).
public struct RequestReader: Sendable {
  /// Boxed, so that a reader between requests allocates nothing.
  indirect enum State {
    case ready
    case head(PartialHead)
    case body(PendingBody)
    case refused(RequestError)
  }

  var state = State.ready
  /// The content received so far of the body being read.
  ///
  /// It is kept outside the box: taking a value out of a box leaves two references, so every piece
  /// would copy it.
  var content: [UInt8] = []

  /// Creates a reader at the start of a connection.
  public init() {}

  /// Whether a request has begun and is incomplete.
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

  /// The bytes of an incomplete request that the reader holds.
  public var bufferedBytes: Int {
    switch state {
    case .ready, .refused: 0
    case .head(let head): head.bytes.count
    case .body(let body):
      body.request.headBytes + content.count + (body.decoder?.heldBytes ?? 0)
    }
  }

  /// The bytes received so far of the body being read, including discarded ones.
  public var bodyBytes: Int {
    guard case .body(let body) = state else { return 0 }
    return body.received
  }

  /// The bytes of the body being read that are known to follow, at most what one call consumes; 0
  /// if unknown.
  public var expectedBodyBytes: Int {
    guard case .body(let body) = state else { return 0 }
    let remaining =
      switch body.framing {
      case .length(let remaining): remaining
      case .chunks(let chunks): chunks.step == .data ? chunks.remaining : 0
      }
    return min(remaining, body.quota)
  }

  /// Discards the body that follows the head just read.
  public mutating func discardBody() {
    guard case .body(var body) = state else { return }
    body.discards = true
    content = []
    state = .body(body)
  }

  /// Reads up to the next event.
  ///
  /// - Parameters:
  ///   - bytes: The bytes received.
  ///   - position: Where to continue in `bytes`; advanced past what is consumed.
  ///   - scratch: The limits, and parser state lent for the call.
  /// - Returns: The next event; at ``RequestEvent/incomplete`` all bytes have been consumed.
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
