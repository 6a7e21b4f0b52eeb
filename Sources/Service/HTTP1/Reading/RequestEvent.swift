/// What a reader found in its input.
public enum RequestEvent: Sendable {
  /// No event yet; all bytes were consumed, except that each call consumes only part of a body
  /// being decoded.
  case incomplete
  /// A head whose body follows: continue reading for the body, or discard it first.
  case head(HTTPRequest)
  /// A complete request.
  case request(HTTPRequest)
  /// A discarded body has ended.
  case discarded
  /// The request is refused; the reader consumes nothing more.
  case refused(RequestError)
}
