/// A violation of the grammar; always answered 400, and the connection is closed.
public enum RequestDefect: String, Error, Sendable, CaseIterable {
  /// RFC 9112 §3: `method SP target SP version`, one space each.
  case requestLine = "the request line is not: method, space, target, space, version"
  /// RFC 9112 §3.2: a byte not allowed in a target, or a form not allowed for the method.
  case target = "the request target is malformed"
  /// RFC 9112 §2.2: a line feed without a preceding carriage return.
  case bareLineFeed = "a line ends in LF alone; it must end in CRLF"
  /// RFC 9112 §5.1: a name that is empty or contains a byte that no token may contain.
  case fieldName = "a field name is empty or has a byte that is not of a token"
  /// RFC 9112 §5.1: whitespace between the name and the colon.
  case spaceBeforeColon = "white space stands before the colon of a field"
  /// RFC 9112 §5.2: a line that continues the preceding field.
  case folding = "a field is folded over several lines"
  /// RFC 9110 §5.5: NUL, CR or another control character in a value.
  case fieldValue = "a field value has a control character"
  /// RFC 9112 §3.2: no `Host` in HTTP/1.1.
  case hostMissing = "the Host field is missing"
  /// RFC 9112 §3.2: more than one `Host`.
  case hostRepeated = "there is more than one Host field"
  /// RFC 9112 §3.2: a `Host`, or an authority in the target, that is empty or malformed.
  case host = "the host is empty or malformed"
  /// RFC 9112 §6.3: a length with anything but digits.
  case contentLength = "Content-Length is not a decimal number"
  /// RFC 9112 §6.3: several lengths, even equal ones; another recipient might choose differently.
  case contentLengthRepeated = "there is more than one Content-Length"
  /// RFC 9112 §6.1: both framings at once, as in request smuggling.
  case lengthAndCoding = "there are both Content-Length and Transfer-Encoding"
  /// RFC 9112 §6.1: a list that is empty, malformed, repeats chunked, or does not end with it.
  case transferCoding = "Transfer-Encoding is malformed or does not end in one chunked"
  /// RFC 9112 §6.1: HTTP/1.0 has no transfer codings.
  case codingInHTTP10 = "Transfer-Encoding in HTTP/1.0"
  /// RFC 9112 §7.1: a size that is not hexadecimal or has too many digits.
  case chunkSize = "a chunk size is malformed"
  /// RFC 9112 §7.1.1: a malformed extension, or too many bytes of extensions.
  case chunkExtension = "a chunk extension is malformed or too long"
  /// RFC 9112 §7.1: chunk data that is not followed by CRLF.
  case chunkEnd = "a chunk is not followed by CRLF"
  /// RFC 9112 §7.1.2: a malformed trailer field.
  case trailer = "a trailer field is malformed"
  /// RFC 9110 §8.4: content that is not valid in its declared coding, or is truncated.
  case contentCoding = "the body is not whole in the coding that Content-Encoding names"
  /// RFC 9112 §8: the connection ended in the middle of a request.
  case incomplete = "the connection ended in the middle of the request"
}
