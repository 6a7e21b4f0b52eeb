/// One request: owned bytes, complete with its body.
///
/// The head is kept as it came, in one buffer, with field names lower-cased and an index of the
/// fields behind it; nothing is decoded and no string is made until somebody asks.
public struct HTTPRequest: Sendable {
  /// What is asked for.
  public var method: HTTPMethod
  /// The version the request was made in.
  public let version: HTTPVersion
  /// Whether the sender would keep the connection open after the response (RFC 9112 §9.3).
  public internal(set) var keepsAlive = true
  /// Whether the sender waits for `100 Continue` before it sends the body.
  public internal(set) var expectsContinue = false
  /// The content, with its transfer coding taken off; content codings are left as sent.
  public var body: [UInt8] = []

  /// The head's bytes from its first on, and behind them its index (see ``HeadIndex``).
  let storage: [UInt8]

  init(method: HTTPMethod, version: HTTPVersion, storage: [UInt8]) {
    self.method = method
    self.version = version
    self.storage = storage
  }

  @inline(__always)
  private var indexOffset: Int { storage.count &- HeadIndex.byteCount }

  private var pathRange: Range<Int> { HeadIndex.range(storage.word(at: indexOffset)) }

  private var queryRange: Range<Int>? {
    HeadIndex.optionalRange(storage.word(at: indexOffset) &>> 32)
  }

  private var authorityRange: Range<Int>? {
    HeadIndex.optionalRange(storage.word(at: indexOffset &+ 8))
  }

  /// Where the places of the fields begin, and how many there are.
  @inline(__always)
  var fieldPlaces: (offset: Int, count: Int) {
    let word = storage.word(at: indexOffset &+ 8)
    return (Int(word &>> 32 & 0xFFFF), Int(word &>> 48))
  }

  /// The length the sender declared with `Content-Length`; nil without one, as in a chunked body.
  public var declaredLength: Int? {
    Int(exactly: storage.word(at: indexOffset &+ 16))
  }

  /// The head from its first byte to the empty line, with names of fields in lower case, and what was found
  /// in it: equal for heads that differ in nothing else.
  public var head: [UInt8] { storage }

  /// The bytes that the head takes in memory.
  public var headBytes: Int { storage.count }

  /// Whether the request is a HEAD: answered as a GET, whose body the server drops.
  public var isHead: Bool { method == .head }

  /// The path in its raw bytes, not percent-decoded; `*` for `OPTIONS *`.
  ///
  /// Of a target in absolute form it is the part behind the authority, `/` if that is empty.
  public var path: ArraySlice<UInt8> { pathRange.isEmpty ? emptyPath : slice(pathRange) }

  /// The bytes behind the first `?` of the target, not decoded; nil without a `?`.
  public var query: ArraySlice<UInt8>? { queryRange.map(slice) }

  /// The authority asked for: of a target in absolute form, else the `Host` field (RFC 9112 §3.3).
  public var authority: ArraySlice<UInt8>? {
    authorityRange.map(slice) ?? field("host")
  }

  /// The target as it appears in origin form: the path and the query with its `?`.
  public var target: ArraySlice<UInt8> {
    guard pathRange.isEmpty else {
      return slice(pathRange.lowerBound..<(queryRange?.upperBound ?? pathRange.upperBound))
    }
    return emptyPath + (query.map { [UInt8(ascii: "?")] + $0 } ?? [])
  }

  /// The meaning of an empty path (RFC 9112 §3.2.2, §3.2.4).
  private var emptyPath: ArraySlice<UInt8> {
    [UInt8(ascii: method == .options && queryRange == nil ? "*" : "/")]
  }

  func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
    storage[range]
  }
}
