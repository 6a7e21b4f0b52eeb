/// One request: owned bytes, complete with its body.
///
/// The head is kept as it came, in one buffer, with field names lower-cased and an index of the
/// fields behind it; nothing is decoded and no string is made until somebody asks.
public struct HTTPRequest: Sendable {
  /// What is asked for.
  public var method: HTTPMethod
  /// The version the request was made in.
  public let version: HTTPVersion
  /// The content, with its transfer coding taken off; content codings are left as sent.
  public var body: [UInt8] = []
  /// The length the sender declared with `Content-Length`; nil without one, as in a chunked body.
  public internal(set) var declaredLength: Int?

  /// The head's bytes from the target on, then eight bytes for each field (see ``FieldSlot``).
  var storage: [UInt8] = []
  var pathRange: Range<UInt16> = 0..<0
  var queryRange: Range<UInt16>?
  var authorityRange: Range<UInt16>?
  var fieldsOffset = 0
  var fieldCount = 0

  init(method: HTTPMethod, version: HTTPVersion) {
    self.method = method
    self.version = version
  }

  /// Tells whether the request is a HEAD: answered as a GET, whose body the server drops.
  public var isHead: Bool { method == .head }

  /// The path in its raw bytes, not percent-decoded; `*` for `OPTIONS *`.
  ///
  /// Of a target in absolute form it is the part behind the authority, `/` if that is empty.
  public var path: ArraySlice<UInt8> { slice(pathRange) }

  /// The bytes behind the first `?` of the target, not decoded; nil without a `?`.
  public var query: ArraySlice<UInt8>? { queryRange.map(slice) }

  /// The authority asked for: of a target in absolute form, else the `Host` field (RFC 9112 §3.3).
  public var authority: ArraySlice<UInt8>? {
    authorityRange.map(slice) ?? field("host")
  }

  /// The target as it stands in origin form: the path and the query with its `?`.
  public var target: ArraySlice<UInt8> {
    slice(pathRange.lowerBound..<(queryRange?.upperBound ?? pathRange.upperBound))
  }

  func slice(_ range: Range<UInt16>) -> ArraySlice<UInt8> {
    storage[Int(range.lowerBound)..<Int(range.upperBound)]
  }
}
