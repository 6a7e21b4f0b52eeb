/// What a reader found in the bytes it was given.
public enum RequestEvent: Sendable {
  /// Nothing more in these bytes: all were taken, but for those of a body that is decoded, of which
  /// each call takes some.
  case incomplete
  /// A head whose body follows: read on to get the body, or discard it first.
  case head(HTTPRequest)
  /// A request, complete.
  case request(HTTPRequest)
  /// The body that was to be discarded has ended.
  case discarded
  /// The bytes are no request that is served; the reader takes no more of them.
  case refused(RequestError)
}
