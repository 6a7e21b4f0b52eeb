/// How the end of a response is marked.
public enum ResponseFraming: Sendable {
  /// By `Content-Length`, the length of the response's body.
  case length
  /// By a final chunk; the content is written later, in chunks.
  case chunked
  /// By closing the connection, for HTTP/1.0 clients.
  case close
}

/// Serializes responses.
public enum ResponseWriter {
  /// Appends the head of a response, including the fields that the server sets.
  ///
  /// - Parameters:
  ///   - response: The response; only the length of its body is used.
  ///   - request: The version and persistence that the client asked for.
  ///   - dateLine: The `Date` line, as ``HTTPDate`` renders it.
  ///   - framing: How the end is marked.
  ///   - closes: Whether the connection is closed after the response.
  ///   - bytes: The buffer to append to.
  public static func head(
    _ response: HTTPResponse, to request: RequestContext, dateLine: [UInt8],
    framing: ResponseFraming, closes: Bool, into bytes: inout OutputBuffer
  ) {
    if let line = StatusLine.line(response.status) {
      bytes.append(line)
    } else {
      bytes.append("HTTP/1.1 ")
      bytes.append(decimal: response.status)
      bytes.append(" \r\n")
    }
    bytes.append(dateLine)
    bytes.append(response.lines)
    if closes {
      bytes.append("Connection: close\r\n")
    } else if request.version == .http10 {
      bytes.append("Connection: keep-alive\r\n")
    }
    switch framing {
    case .length: appendLength(response, into: &bytes)
    case .chunked: bytes.append("Transfer-Encoding: chunked\r\n\r\n")
    case .close: bytes.append("\r\n")
    }
  }

  /// Appends `Content-Length` and the end of the head.
  ///
  /// RFC 9110 §8.6: none with 204; with 304 it would be the length of the omitted content.
  private static func appendLength(_ response: HTTPResponse, into bytes: inout OutputBuffer) {
    guard response.status != 204, response.status != 304 else { return bytes.append("\r\n") }
    bytes.append("Content-Length: ")
    bytes.append(decimal: response.body.count)
    bytes.append("\r\n\r\n")
  }

  /// Appends the size line of a chunk (RFC 9112 §7.1); the size must not be 0.
  public static func chunkHead(_ count: Int, into bytes: inout OutputBuffer) {
    precondition(count > 0, "an empty chunk ends the content")
    bytes.append(hexadecimal: count)
    bytes.append("\r\n")
  }

  /// Appends the line end after the data of a chunk.
  public static func chunkEnd(into bytes: inout OutputBuffer) {
    bytes.append("\r\n")
  }

  /// Appends the final chunk, without trailers.
  public static func lastChunk(into bytes: inout OutputBuffer) {
    bytes.append("0\r\n\r\n")
  }

  /// Appends `100 Continue`, which asks for the body (RFC 9110 §15.2.1).
  public static func proceed(into bytes: inout OutputBuffer) {
    bytes.append("HTTP/1.1 100 Continue\r\n\r\n")
  }
}

/// The properties of a request that determine how its response is written.
public struct RequestContext: Sendable {
  /// The HTTP version of the request.
  public var version: HTTPVersion
  /// Whether the request is a HEAD, whose response has no content.
  public var isHead: Bool
  /// Whether the client wants to keep the connection open.
  public var keepsAlive: Bool
  /// Whether the method is safe (RFC 9110 §9.2.1), so that its response may still become a refusal.
  public var isSafe: Bool

  /// Extracts the context of a request.
  public init(_ request: borrowing HTTPRequest) {
    version = request.version
    isHead = request.method == .head
    keepsAlive = request.keepsAlive
    isSafe = request.method == .get || request.method == .head || request.method == .options
  }

  /// Creates the context of a response to unreadable input.
  public init() {
    version = .http11
    isHead = false
    keepsAlive = false
    isSafe = true
  }
}

extension HTTPResponse {
  /// Whether the response has content on the wire (RFC 9110 §6.4.1).
  public func sendsBody(to request: RequestContext) -> Bool {
    !request.isHead && status != 204 && status != 304
  }
}
