/// What the readers of one event loop share: the limits, and a buffer for the places of fields.
public struct ReaderScratch: Sendable {
  /// What a request may take.
  public let limits: RequestLimits
  var slots: [FieldSlot] = []

  /// Makes a scratch for readers with these limits.
  public init(limits: RequestLimits) { self.limits = limits }
}

/// Reads the requests of one connection: bytes in, events out, no I/O and no clock.
///
/// Give it what was received and call ``next(_:at:scratch:)`` until it says
/// ``RequestEvent/incomplete``. A head that lies whole in the bytes is read in place and copied
/// once, into its request; the pieces of one that does not are kept here until it is whole. An idle
/// reader owns no buffer.
///
/// After ``RequestEvent/refused(_:)`` it never reads another byte as a request: where the next one
/// begins is no longer known (RFC 9112 §11.2).
public struct RequestReader: Sendable {
  enum Phase {
    case head
    case fixedBody
    case chunkedBody
    case refused
  }

  var phase = Phase.head
  var progress = HeadProgress()
  /// What came of a head that is not whole yet.
  var piece: [UInt8] = []
  /// The request whose body is being read.
  var pending: HTTPRequest?
  var body: [UInt8] = []
  var bodyRemaining = 0
  var chunks = ChunkProgress()
  var discards = false
  private var error = RequestError.malformed(.requestLine)

  /// Makes a reader at the start of a connection.
  public init() {}

  /// Tells whether a request has begun and is not complete.
  public var isMidRequest: Bool { phase != .head || !piece.isEmpty }

  /// Tells whether a body is being read.
  public var isMidBody: Bool { phase == .fixedBody || phase == .chunkedBody }

  /// The bytes of unfinished requests that are held here.
  public var bufferedBytes: Int { piece.count + body.count }

  /// The bytes of the body read so far.
  public var bodyBytes: Int { body.count }

  /// Drops the body that follows the head just found, instead of keeping it.
  public mutating func discardBody() {
    discards = true
  }

  /// Reads on, up to the next event.
  ///
  /// - Parameters:
  ///   - bytes: what was received.
  ///   - position: where to go on in it; moved behind what was taken.
  ///   - scratch: the limits, and a buffer lent for the call.
  /// - Returns: the next event; at ``RequestEvent/incomplete`` all bytes were taken.
  public mutating func next(
    _ bytes: Span<UInt8>, at position: inout Int, scratch: inout ReaderScratch
  ) -> RequestEvent {
    do throws(RequestError) {
      switch phase {
      case .head: return try readHead(bytes, &position, &scratch)
      case .fixedBody: return readFixedBody(bytes, &position)
      case .chunkedBody: return try readChunks(bytes, &position, scratch.limits)
      case .refused: return .refused(error)
      }
    } catch {
      self = RequestReader()
      self.error = error
      phase = .refused
      return .refused(error)
    }
  }
}
