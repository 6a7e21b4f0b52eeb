/// The protocol version a request was made in.
///
/// Minor versions above 1 are treated as 1.1 (RFC 9110 §2.5); other major versions are refused.
public enum HTTPVersion: Sendable {
  case http10
  case http11
}
