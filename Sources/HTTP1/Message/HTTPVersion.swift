/// The protocol version a request was made in.
///
/// A higher minor version than 1 is treated as 1.1 (RFC 9110 §2.5); other majors are refused.
public enum HTTPVersion: Sendable {
  case http10
  case http11
}
