import Glibc
public import HTTP1

/// Serves one request: called on the connection's event loop with the complete request.
///
/// It must return quickly: it answers at once, or keeps the responder and answers later from any
/// thread. Requests of one connection come one at a time, the next when the last is answered.
public typealias Handler = @Sendable (HTTPRequest, Responder) -> Void

/// Decides by its head about a request whose body has not been read.
public typealias HeadCheck = @Sendable (HTTPRequest) -> BodyDecision

/// What becomes of a request whose body follows.
public enum BodyDecision: Sendable {
  /// The body is read, and decoded as it comes if there is a decoder; then the handler serves the
  /// request, in place of the listener's if there is one.
  case read(decoder: (any BodyDecoder)? = nil, handler: Handler? = nil)
  /// The request is refused with a response: the body is not invited, and dropped if it comes.
  case refuse(HTTPResponse)
}

/// Makes the response to what the server itself refuses.
public typealias ProblemRenderer = @Sendable (ServerProblem) -> HTTPResponse

/// An address to listen on, and the handler of its requests.
public struct Listener: Sendable {
  /// Where to listen.
  public var address: ListenAddress
  /// Serves the requests.
  public var handler: Handler
  /// Looks at heads before their bodies are read; nil lets all pass.
  public var headCheck: HeadCheck?

  /// Makes a listener.
  public init(
    address: ListenAddress, headCheck: HeadCheck? = nil, handler: @escaping Handler
  ) {
    self.address = address
    self.headCheck = headCheck
    self.handler = handler
  }
}

/// All that a server needs to know.
public struct ServerConfiguration: Sendable {
  /// Where to listen, and the handlers of the requests.
  public var listeners: [Listener]
  /// What peers may take.
  public var limits = ServerLimits()
  /// Counts what is held for requests, where several servers share one bound; nil for one of its own, of
  /// ``ServerLimits/bufferedBytesMax``.
  public var budget: BufferBudget?
  /// Event loops, each on a queue of its own; more than there are cores do not help.
  public var loops = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// Where the time is taken from.
  public var clock = ServerClock.system
  /// Makes the responses to what the server itself refuses.
  public var renderProblem: ProblemRenderer = { $0.response }
  /// Called on event loops when the server itself refuses a request, or its sockets fail.
  public var onEvent: (@Sendable (ServerEvent) -> Void)?

  /// Makes a configuration with default limits.
  public init(listeners: [Listener]) { self.listeners = listeners }
}

/// What a server reports to its log.
public enum ServerEvent: Sendable {
  /// A request was refused before any handler saw it.
  case refused(ServerProblem, peer: PeerAddress)
  /// Connections cannot be accepted for now, with the error's number; those there are go on.
  case acceptPaused(errno: Int32)
  /// Connections are accepted again.
  case acceptResumed
  /// A connection was closed because there were too many.
  case overloaded(peer: PeerAddress)
}
