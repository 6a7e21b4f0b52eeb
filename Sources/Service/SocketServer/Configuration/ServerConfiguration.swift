import Glibc
public import HTTP1

/// Handles one complete request; called on the connection's event loop.
///
/// A handler must return quickly: it responds immediately, or keeps the responder and responds
/// later from any thread. Requests of a connection are handled one at a time, each after the
/// response to the last.
public typealias Handler = @Sendable (HTTPRequest, Responder) -> Void

/// Decides by its head and its sender on a request whose body has not been read.
public typealias HeadCheck = @Sendable (HTTPRequest, PeerAddress) -> BodyDecision

/// What to do with a request whose body follows.
public enum BodyDecision: Sendable {
  /// Read the body, with a decoder if there is one, and pass the request to `handler`, or to the
  /// listener's if it is `nil`.
  case read(decoder: (any BodyDecoder)? = nil, handler: Handler? = nil)
  /// Refuse the request with a response; the body is not asked for, and discarded if it is sent.
  case refuse(HTTPResponse)
  /// Decide later: nothing of the body is asked for or read until then.
  ///
  /// The function is called once, and calls its completion once, from any thread, with another decision.
  case later(@Sendable (_ decided: @escaping @Sendable (BodyDecision) -> Void) -> Void)
}

/// Creates the response to a request of a peer that the server itself refuses.
public typealias ProblemRenderer = @Sendable (ServerProblem, PeerAddress) -> HTTPResponse

/// An address to listen on, and the handler of its requests.
public struct Listener: Sendable {
  /// Where to listen.
  public var address: ListenAddress
  /// Handles the requests.
  public var handler: Handler
  /// Checks heads before their bodies are read; `nil` accepts all.
  public var headCheck: HeadCheck?

  /// Creates a listener.
  public init(
    address: ListenAddress, headCheck: HeadCheck? = nil, handler: @escaping Handler
  ) {
    self.address = address
    self.headCheck = headCheck
    self.handler = handler
  }
}

/// The settings of a server.
public struct ServerConfiguration: Sendable {
  /// The addresses to listen on, with their handlers.
  public var listeners: [Listener]
  /// The limits on peers.
  public var limits = ServerLimits()
  /// The budget for request memory, if shared by several servers; `nil` for a separate one of
  /// ``ServerLimits/bufferedBytesMax``.
  public var budget: BufferBudget?
  /// The number of event loops, each on its own queue; more than there are cores do not help.
  public var loops = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  /// The clocks to use.
  public var clock = ServerClock.system
  /// Creates the responses to requests that the server itself refuses.
  public var renderProblem: ProblemRenderer = { problem, _ in problem.response }
  /// Returns whether handlers are behind with what they were given; called on an event loop.
  ///
  /// While they are, few connections are accepted at a time.
  public var isBusy: (@Sendable () -> Bool)?
  /// Called on event loops when the server refuses a request, or when its sockets fail.
  public var onEvent: (@Sendable (ServerEvent) -> Void)?

  /// Creates a configuration with default limits.
  public init(listeners: [Listener]) { self.listeners = listeners }
}

/// An event that a server reports for logging.
public enum ServerEvent: Sendable {
  /// A request was refused without reaching a handler.
  case refused(ServerProblem, peer: PeerAddress)
  /// Accepting is paused because of an error; open connections continue.
  case acceptPaused(errno: Int32)
  case acceptResumed
  /// A connection was refused because there were too many.
  case overloaded(peer: PeerAddress)
}
