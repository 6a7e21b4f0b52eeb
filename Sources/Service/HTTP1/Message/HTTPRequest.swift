/// A complete request that owns its bytes.
///
/// The head is kept as received, in one buffer, with field names lowercased and followed by an
/// index of the fields. Nothing is decoded, and no string is created, until it is needed.
public struct HTTPRequest: Sendable {
  /// The request method.
  public var method: HTTPMethod
  /// The HTTP version of the request.
  public let version: HTTPVersion
  /// Whether the client wants to keep the connection open after the response (RFC 9112 §9.3).
  public internal(set) var keepsAlive = true
  /// Whether the client waits for `100 Continue` before it sends the body.
  public internal(set) var expectsContinue = false
  /// The content with its transfer coding removed; content codings are left in place.
  public var body: [UInt8] = []

  /// The bytes of the head, followed by its index (see ``HeadIndex``).
  let storage: [UInt8]

  @inline(__always)
  private var indexOffset: Int { storage.count &- HeadIndex.byteCount }

  private var pathRange: Range<Int> { HeadIndex.range(storage.word(at: indexOffset)) }

  private var queryRange: Range<Int>? {
    HeadIndex.optionalRange(storage.word(at: indexOffset) &>> 32)
  }

  private var authorityRange: Range<Int>? {
    HeadIndex.optionalRange(storage.word(at: indexOffset &+ 8))
  }

  /// Where the field positions begin, and how many there are.
  @inline(__always)
  var fieldPlaces: (offset: Int, count: Int) {
    let word = storage.word(at: indexOffset &+ 8)
    return (Int(word &>> 32 & 0xFFFF), Int(word &>> 48))
  }

  /// The declared `Content-Length`, or `nil` if there is none, as for a chunked body.
  public var declaredLength: Int? {
    Int(exactly: storage.word(at: indexOffset &+ 16))
  }

  /// The head from its first byte to the empty line, with field names lowercased, followed by its
  /// index.
  ///
  /// Two heads that differ in nothing but the case of field names are equal.
  public var head: [UInt8] { storage }

  /// The size of the head in memory, in bytes.
  public var headBytes: Int { storage.count }

  /// Whether the method is HEAD, which is answered as a GET without the body.
  public var isHead: Bool { method == .head }

  /// The raw path, not percent-decoded; `*` for `OPTIONS *`.
  ///
  /// For a target in absolute form, the part after the authority, or `/` if that is empty.
  public var path: ArraySlice<UInt8> { pathRange.isEmpty ? emptyPath : slice(pathRange) }

  /// The raw bytes after the first `?` of the target, or `nil` without a `?`.
  public var query: ArraySlice<UInt8>? { queryRange.map(slice) }

  /// The authority of a target in absolute form, else the `Host` field (RFC 9112 §3.3).
  public var authority: ArraySlice<UInt8>? {
    authorityRange.map(slice) ?? field("host")
  }

  /// The target in origin form: the path and, with its `?`, the query.
  public var target: ArraySlice<UInt8> {
    guard pathRange.isEmpty else {
      return slice(pathRange.lowerBound..<(queryRange?.upperBound ?? pathRange.upperBound))
    }
    return emptyPath + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
  }

  /// The path that an empty path stands for (RFC 9112 §3.2.2, §3.2.4).
  private var emptyPath: ArraySlice<UInt8> {
    [UInt8(ascii: method == .options && queryRange == nil ? "*" : "/")]
  }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    storage[range]
  }
}
