import CSimdJSON

/// Parses JSON texts into documents, validating every byte.
///
/// The grammar is exactly RFC 8259: no trailing commas, comments, unescaped control characters,
/// lone surrogates or byte order mark. Numbers are validated and kept as text of any length; none
/// is converted to a `Double`. Repeated member names are allowed; their meaning is up to the user
/// of the document.
///
/// A reader reuses its scratch memory: keep one per queue or thread. Readers are not `Sendable`;
/// documents are.
///
/// ```swift
/// let reader = JSONReader()
/// let document = try reader.read(Array(#"{"id":7}"#.utf8))
/// document.root["id"]?.rawText  // "7"
/// ```
@safe public final class JSONReader {
  /// The maximum nesting of objects and arrays; 1 allows `[1]` but not `[[1]]`.
  public let depthMax: Int

  /// The largest text that can be read, in bytes: 1 GiB.
  public static let byteCountMax = 1 << 30
  /// The upper bound of `depthMax`; values are walked recursively, on stacks of 512 KiB.
  public static let depthMaxMax = 512

  /// The most bytes of scratch memory kept between texts: 2 MiB.
  private static let scratchKept = 1 << 21

  /// A tape with a capacity up to this, 4 MiB, is kept as well.
  private static let tokensKept = 1 << 18
  /// A kept tape is not used for documents that need less than its capacity divided by this.
  private static let tapeExcessMax = 8

  /// The tape of the last document, or of an earlier one.
  private var tape: Tape?
  /// Nil if it could not be allocated.
  private let scanner: OpaquePointer?

  /// Creates a reader.
  ///
  /// - Parameter depthMax: The maximum nesting of objects and arrays, clamped to 0 through
  ///   `depthMaxMax`.
  public init(depthMax: Int = 64) {
    self.depthMax = min(max(depthMax, 0), JSONReader.depthMaxMax)
    unsafe scanner = csj_scanner_create()
  }

  deinit {
    if let scanner = unsafe scanner { unsafe csj_scanner_destroy(scanner) }
  }

  /// Validates a text and returns its document.
  ///
  /// - Throws: `JSONError.syntax` for anything but one JSON value with optional white space around
  ///   it, `.tooDeep` over `depthMax`, `.tooLarge` over `byteCountMax` or if memory cannot be
  ///   allocated.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func read(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
    guard let scanner = unsafe scanner else { throw tooLarge(bytes) }
    defer { unsafe csj_scanner_trim(scanner, JSONReader.scratchKept) }
    var status = CSJ_MALFORMED
    let isInPlace = JSONReader.canStay(bytes)
    let tape = unsafe bytes.withUnsafeBufferPointer { buffer -> Tape? in
      guard let start = buffer.baseAddress else { return nil }
      unsafe status = csj_scanner_scan(scanner, start, buffer.count, isInPlace)
      return status == CSJ_OK ? unsafe self.tape(scanner, count: buffer.count) : nil
    }
    if status == CSJ_TOO_LARGE { throw tooLarge(bytes) }
    guard let tape else { throw fault(bytes) }
    return JSONDocument(storage: JSONStorage(bytes: bytes, tape: tape))
  }

  /// Whether a text can be scanned without being copied.
  ///
  /// `TapeBuilder` reads up to three bytes beyond a text, which must be in its buffer. After a closing bracket
  /// their values do not matter: no number and no literal continues across it.
  private static func canStay(_ bytes: [UInt8]) -> Bool {
    guard let last = bytes.last, last == Byte.closeBrace || last == Byte.closeBracket else {
      return false
    }
    return bytes.capacity - bytes.count >= 32
  }

  /// Builds the tape of a scanned text; nil if it is not JSON or too deep.
  private func tape(_ scanner: OpaquePointer, count: Int) -> Tape? {
    let indexCount = unsafe csj_scanner_index_count(scanner)
    var isValid = false
    let tape = emptyTape(capacity: indexCount)
    unsafe tape.fill { start in
      var builder = unsafe TapeBuilder(
        text: csj_scanner_text(scanner), count: UInt32(count),
        indexes: csj_scanner_indexes(scanner), indexCount: indexCount, tape: start,
        depthMax: depthMax)
      isValid = builder.build()
      return isValid ? Int(builder.tokenCount) : 0
    }
    return isValid ? tape : nil
  }

  /// A tape that no document uses: page faults of fresh memory take as long as building the tape.
  private func emptyTape(capacity: Int) -> Tape {
    let least = (tape?.capacity ?? 0) / JSONReader.tapeExcessMax
    if isKnownUniquelyReferenced(&tape), let tape, least...tape.capacity ~= capacity { return tape }
    let new = Tape(capacity: capacity)
    if least...JSONReader.tokensKept ~= capacity { tape = new }
    return new
  }

  private func fault(_ bytes: [UInt8]) -> JSONError {
    FaultLocator.fault(in: bytes, depthMax: depthMax) ?? .syntax(offset: 0, reason: "not JSON")
  }

  private func tooLarge(_ bytes: [UInt8]) -> JSONError {
    .tooLarge(byteCount: bytes.count, limit: JSONReader.byteCountMax)
  }
}
