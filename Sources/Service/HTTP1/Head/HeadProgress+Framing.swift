/// What `Expect` asks for (RFC 9110 §10.1.1).
enum Expectation {
  case none
  /// `100-continue`: the client waits for a `100` response before it sends the body.
  case proceed
  case unknown
}

/// The transfer codings of all `Transfer-Encoding` lines so far (RFC 9112 §6.1).
enum TransferCoding {
  case none
  /// Chunked is the last and only coding so far.
  case chunked
  /// Chunked is the last coding so far, after others.
  case unknownThenChunked
  /// The last coding so far is not chunked.
  case unknown
}

extension HeadProgress {
  /// Reads a `Content-Length`, which must be digits only (RFC 9110 §8.6).
  ///
  /// A value that overflows `Int` is a length over any limit, not a malformed one.
  mutating func noteLength(_ value: Span<UInt8>) throws(RequestError) {
    guard declaredLength == nil else { throw .malformed(.contentLengthRepeated) }
    guard !value.isEmpty else { throw .malformed(.contentLength) }
    var length = 0
    for index in 0..<value.count {
      guard value[index].isDigit else {
        throw .malformed(
          value[index] == UInt8(ascii: ",") && index > 0 ? .contentLengthRepeated : .contentLength)
      }
      let (product, over) = length.multipliedReportingOverflow(by: 10)
      let (sum, carried) = product.addingReportingOverflow(Int(value[index] - 0x30))
      length = over || carried || length == .max ? .max : sum
    }
    declaredLength = length
  }

  /// Reads one line of transfer codings; chunked must be last and occur once.
  mutating func noteCoding(_ value: Span<UInt8>) throws(RequestError) {
    var rest = ListElements(value.count)
    while let element = rest.next(in: value) {
      let name = value.extracting(element)
      switch coding {
      case .chunked, .unknownThenChunked:
        throw .malformed(.transferCoding)
      case .none:
        coding = name.equalsIgnoringCase("chunked") ? .chunked : .unknown
      case .unknown:
        coding = name.equalsIgnoringCase("chunked") ? .unknownThenChunked : .unknown
      }
      guard name.isToken else { throw .malformed(.transferCoding) }
    }
  }

  /// Determines how the body is framed, once all fields have been read (RFC 9112 §6.3).
  func framing(_ limits: RequestLimits) throws(RequestError) -> Framing {
    if version == .http11, !hostSeen { throw .malformed(.hostMissing) }
    if coding != .none {
      if version == .http10 { throw .malformed(.codingInHTTP10) }
      if declaredLength != nil { throw .malformed(.lengthAndCoding) }
      if coding == .unknown { throw .malformed(.transferCoding) }
      if coding == .unknownThenChunked { throw .codingNotImplemented }
    }
    // RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
    if expectation == .unknown, version == .http11 { throw .expectationFailed }
    if coding == .chunked { return .chunked }
    guard let length = declaredLength, length > 0 else { return .none }
    guard length <= limits.bodyBytesMax else { throw .bodyTooLarge(limit: limits.bodyBytesMax) }
    return .length(length)
  }

  /// Whether the sender wants to keep the connection open (RFC 9112 §9.3).
  var keepsAlive: Bool {
    guard !asksClose else { return false }
    return version == .http11 || asksKeepAlive
  }

  var expectsContinue: Bool { expectation == .proceed && version == .http11 }
}
