/// How a response ends.
public enum ResponseFraming: Sendable {
  /// By a `Content-Length`, the length of the response's body.
  case length
  /// By a last chunk: the content is written later, in chunks.
  case chunked
  /// By closing the connection, for clients of HTTP/1.0.
  case close
}

/// Renders responses into bytes.
public enum ResponseWriter {
  /// Appends the head of a response, with the fields that belong to the server.
  ///
  /// - Parameters:
  ///   - response: the response; of its body only the length is used.
  ///   - request: the version and the persistence that the client asked for.
  ///   - dateLine: the line of `Date`, as ``HTTPDate`` renders it.
  ///   - framing: how the end is marked.
  ///   - closes: whether the connection is closed behind the response.
  ///   - bytes: what the head is appended to.
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

  /// Appends the length and the end of the head.
  ///
  /// RFC 9110 §8.6: no length with 204; with 304 it would be that of the response not sent.
  private static func appendLength(_ response: HTTPResponse, into bytes: inout OutputBuffer) {
    guard response.status != 204, response.status != 304 else { return bytes.append("\r\n") }
    bytes.append("Content-Length: ")
    bytes.append(decimal: response.body.count)
    bytes.append("\r\n\r\n")
  }

  /// Appends the line before a chunk's content (RFC 9112 §7.1): its size, which is not 0.
  public static func chunkHead(_ count: Int, into bytes: inout OutputBuffer) {
    precondition(count > 0, "an empty chunk ends the content")
    bytes.append(hexadecimal: count)
    bytes.append("\r\n")
  }

  /// Appends the line end after a chunk's content.
  public static func chunkEnd(into bytes: inout OutputBuffer) {
    bytes.append("\r\n")
  }

  /// Appends the last chunk, without trailers.
  public static func lastChunk(into bytes: inout OutputBuffer) {
    bytes.append("0\r\n\r\n")
  }

  /// Appends the interim response that invites the body (RFC 9110 §15.2.1).
  public static func proceed(into bytes: inout OutputBuffer) {
    bytes.append("HTTP/1.1 100 Continue\r\n\r\n")
  }
}

/// What of a request decides how its response is written.
public struct RequestContext: Sendable {
  /// The version the request was made in.
  public var version: HTTPVersion
  /// Whether the request is a HEAD, whose response has no content.
  public var isHead: Bool
  /// Whether the client would keep the connection.
  public var keepsAlive: Bool
  /// Whether the request changes nothing (RFC 9110 §9.2.1), so that it can be refused after all.
  public var isSafe: Bool

  /// Takes what matters from a request.
  public init(_ request: borrowing HTTPRequest) {
    version = request.version
    isHead = request.method == .head
    keepsAlive = request.keepsAlive
    isSafe = request.method == .get || request.method == .head || request.method == .options
  }

  /// The context of a response to what could not be read as a request.
  public init() {
    version = .http11
    isHead = false
    keepsAlive = false
    isSafe = true
  }
}

extension HTTPResponse {
  /// Whether the content goes over the wire (RFC 9110 §6.4.1).
  public func sendsBody(to request: RequestContext) -> Bool {
    !request.isHead && status != 204 && status != 304
  }
}
