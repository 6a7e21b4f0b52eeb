public import HTTP1

/// Every bound on what a peer can take, and every time-out.
public struct ServerLimits: Sendable {
  /// What one request may take.
  public var request = RequestLimits()

  /// From the first byte of a request, or the start of a connection, to the end of its head; then 408.
  public var headerTimeout: Duration = .seconds(10)
  /// Between requests; then the connection is closed.
  public var idleTimeout: Duration = .seconds(75)
  /// What a body may take before its rate counts, and without any progress; then 408.
  public var bodyTimeout: Duration = .seconds(30)
  /// Bytes a second that a body must come at beyond ``bodyTimeout``: faster ones save no more time than
  /// that for later.
  public var bodyBytesPerSecondMin = 4 << 10
  /// Without progress for so long, a connection that waits for its peer gives way when there is no room
  /// for others, the largest first; see ``bufferedBytesMax``.
  public var stallTimeout: Duration = .seconds(2)
  /// Without any progress in sending while there is something to send; then the connection is reset.
  public var writeTimeout: Duration = .seconds(30)
  /// How long a connection that the server closed waits for the peer to close, so that the last
  /// answer is not lost to a reset (RFC 9112 §9.6).
  public var lingerTimeout: Duration = .seconds(5)
  /// Bytes that are read and dropped while a connection lingers.
  public var lingerBytesMax = 64 << 20

  /// Bytes of a refused request's body that are read and dropped to keep the connection; a longer
  /// body, or one of unknown length, closes it.
  public var discardBytesMax = 64 << 10
  /// Connections at once, over all listeners; more are answered 503.
  public var connectionsMax = 10_000
  /// Connections at once from one address; more are answered 503.
  ///
  /// As many as there may be in all by default: behind a proxy all come from one address.
  public var connectionsPerAddressMax = 10_000
  /// Requests on one connection; the last is answered with `Connection: close`.
  public var requestsPerConnectionMax = 100_000
  /// Pipelined requests that are answered before other connections are processed.
  public var pipelineDepthMax = 64
  /// Bytes of responses that may wait on one connection before its next request is read.
  public var outputBytesMax = 256 << 10
  /// Bytes that may be held for all requests together, from their first byte until their responses are
  /// sent; see ``BufferBudget``.
  ///
  /// Bodies and responses that do not fit are answered 503; those over 64 KiB must leave an eighth free.
  /// Before that, those give way that make no progress; see ``stallTimeout``.
  public var bufferedBytesMax = 192 << 20
  /// Bytes of a stream that may wait before its writer must stop.
  public var streamBytesMax = 16 << 10
  /// Connections that the kernel keeps waiting for each listener.
  public var listenBacklog = 1024

  /// Makes the default limits.
  public init() {}
}
