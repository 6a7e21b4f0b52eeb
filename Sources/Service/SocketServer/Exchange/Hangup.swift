/// How much of a connection its peer has ended while a request waits for its response.
public enum Hangup: Sendable {
  /// The peer sends nothing more. Nearly always it is gone, which only a send can show; it may still
  /// read, so that the request should be answered, and soon.
  case sending
  /// Both sides are shut down, or the connection was closed.
  case both
}
