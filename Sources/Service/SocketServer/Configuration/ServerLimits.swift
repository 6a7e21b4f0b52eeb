public import HTTP1

/// The limits and timeouts of a server.
public struct ServerLimits: Sendable {
  /// The limits on one request.
  public var request = RequestLimits()

  /// The time from the start of a connection or the first byte of a request to the end of its head;
  /// then 408.
  public var headerTimeout: Duration = .seconds(10)
  /// The time between requests, after which the connection is closed.
  public var idleTimeout: Duration = .seconds(75)
  /// The time a body may take before its rate counts, and without progress; then 408.
  public var bodyTimeout: Duration = .seconds(30)
  /// The minimum rate of a body beyond ``bodyTimeout``, in bytes per second; a faster body saves up
  /// at most that timeout.
  public var bodyBytesPerSecondMin = 4 << 10
  /// The time without progress after which a connection waiting for its peer may be closed to make
  /// room for others, the largest first; see ``bufferedBytesMax``.
  public var stallTimeout: Duration = .seconds(2)
  /// The time without progress in sending after which the connection is reset.
  public var writeTimeout: Duration = .seconds(30)
  /// How long a connection closed by the server waits for the peer to close, so that a reset does
  /// not destroy the last response (RFC 9112 §9.6).
  public var lingerTimeout: Duration = .seconds(5)
  /// The most bytes that are discarded while a connection lingers.
  public var lingerBytesMax = 64 << 20

  /// The most bytes of a refused body that are discarded to keep the connection; a longer body, or
  /// one of unknown length, closes it.
  public var discardBytesMax = 64 << 10
  /// Simultaneous connections over all listeners; more are answered 503.
  public var connectionsMax = 10_000
  /// Simultaneous connections from one address; more are answered 503.
  ///
  /// The default equals ``connectionsMax``, as behind a proxy all connections come from one
  /// address.
  public var connectionsPerAddressMax = 10_000
  /// Requests on one connection; the last is answered with `Connection: close`.
  public var requestsPerConnectionMax = 100_000
  /// Pipelined requests that are handled before other connections are processed.
  public var pipelineDepthMax = 64
  /// The unsent bytes on one connection above which its next request is not read.
  public var outputBytesMax = 256 << 10
  /// The most bytes held for all requests together, from their first byte until their responses are
  /// sent; see ``BufferBudget``.
  ///
  /// Bodies and responses that do not fit are answered 503; those over 64 KiB must leave an eighth
  /// free. Before that, stalled connections are closed; see ``stallTimeout``.
  public var bufferedBytesMax = 192 << 20
  /// The unsent bytes of a stream above which its writer must wait.
  public var streamBytesMax = 16 << 10
  /// Pending connections that the kernel queues for each listener.
  public var listenBacklog = 4096

  /// Creates the default limits.
  public init() {}
}
