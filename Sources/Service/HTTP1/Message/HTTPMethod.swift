/// A request method that is passed to handlers; any other is answered 501.
///
/// Method names are case-sensitive (RFC 9110 §9.1): `get` is not `GET`.
public enum HTTPMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// Creates a method from its bytes, or returns `nil` if it is unknown.
  init?(_ name: Span<UInt8>) {
    switch name.count {
    case 3 where name.equals("GET"): self = .get
    case 3 where name.equals("PUT"): self = .put
    case 4 where name.equals("POST"): self = .post
    case 4 where name.equals("HEAD"): self = .head
    case 5 where name.equals("PATCH"): self = .patch
    case 6 where name.equals("DELETE"): self = .delete
    case 7 where name.equals("OPTIONS"): self = .options
    default: return nil
    }
  }
}
