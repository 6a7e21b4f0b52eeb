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
  public static let byteCountMax = JSONError.byteCountMax
  /// The upper bound of `depthMax`; values are walked recursively, on stacks of 512 KiB.
  public static let depthMaxMax = 512

  /// A tape with a capacity up to this, 4 MiB, is kept as well.
  private static let tokensKept = 1 << 18
  /// A kept tape is not used for documents that need less than its capacity divided by this.
  private static let tapeExcessMax = 8

  /// The tape of the last document, or of an earlier one.
  private var tape: Tape?
  var keptByteCount: Int { (tape?.capacity ?? 0) * MemoryLayout<Token>.stride }
  #if Server
    /// Nil in a portable reader.
    private let scanner: SIMDScanner?
  #endif

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - depthMax: The maximum nesting of objects and arrays, clamped to 0 through `depthMaxMax`.
  ///   - isPortable: Whether to find tokens in Swift rather than with simdjson, at a fraction of the
  ///     speed; without the trait `Server` it always does.
  public init(depthMax: Int = 64, isPortable: Bool = false) {
    self.depthMax = min(max(depthMax, 0), JSONReader.depthMaxMax)
    #if Server
      scanner = isPortable ? nil : SIMDScanner()
    #endif
  }

  /// Validates a text and returns its document.
  ///
  /// - Throws: `JSONError.syntax` for anything but one JSON value with optional white space around
  ///   it, `.tooDeep` over `depthMax`, `.tooLarge` over `byteCountMax` or if memory cannot be
  ///   allocated.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public func read(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
    guard let tape = try scan(bytes) else { throw fault(bytes) }
    return JSONDocument(storage: JSONStorage(bytes: bytes, tape: tape))
  }

  /// Validates a text as ``read(_:)`` does, where it does not matter what is wrong with one.
  ///
  /// - Returns: The root of its document; `nil` where ``read(_:)`` throws.
  public func root(of bytes: [UInt8]) -> JSONValue? {
    // An error means that there is no root, as callers are told.
    guard let tape = try? scan(bytes) else { return nil }
    return JSONDocument(storage: JSONStorage(bytes: bytes, tape: tape)).root
  }

  /// Returns the tape of a text; nil if it is not JSON or too deep.
  private func scan(_ bytes: [UInt8]) throws(JSONError) -> Tape? {
    #if Server
      if let scanner {
        return try unsafe scanner.scan(bytes) { text, indexes, count in
          // An error is found again, by the portable scanner.
          try? unsafe tape(text, count: bytes.count, indexes, indexCount: count).get()
        }
      }
    #endif
    guard bytes.count <= JSONReader.byteCountMax else { throw .tooLarge(bytes) }
    // An error is found again, by `fault`.
    return try? portableTape(bytes)
  }

  private func portableTape(_ bytes: [UInt8]) throws(JSONFault) -> Tape {
    let scanner = TokenScanner(bytes)
    let result = unsafe scanner.text.withUnsafeBufferPointer { text in
      unsafe scanner.indexes.withUnsafeBufferPointer { indexes -> Result<Tape, JSONFault> in
        guard let text = text.baseAddress, let start = indexes.baseAddress else {
          return .failure(JSONFault(.value, at: 0))
        }
        return unsafe tape(text, count: scanner.count, start, indexCount: indexes.count - 1)
      }
    }
    guard let fault = scanner.fault else { return try result.get() }
    // An invalid string is the first error if its token and those before it are allowed.
    if case .failure(let earlier) = result, earlier.offset < fault.offset { throw earlier }
    throw fault
  }

  /// Builds the tape of a scanned text.
  private func tape(
    _ text: UnsafePointer<UInt8>, count: Int, _ indexes: UnsafePointer<UInt32>, indexCount: Int
  ) -> Result<Tape, JSONFault> {
    var fault: JSONFault?
    let tape = emptyTape(capacity: indexCount)
    unsafe tape.fill { start in
      var builder = unsafe TapeBuilder(
        text: text, count: UInt32(count), indexes: indexes, indexCount: indexCount, tape: start,
        depthMax: depthMax)
      if builder.build() { return Int(builder.tokenCount) }
      fault = builder.fault
      return 0
    }
    return fault.map { .failure($0) } ?? .success(tape)
  }

  /// A tape that no document uses: page faults of fresh memory take as long as building the tape.
  private func emptyTape(capacity: Int) -> Tape {
    let least = (tape?.capacity ?? 0) / JSONReader.tapeExcessMax
    if isKnownUniquelyReferenced(&tape), let tape, least...tape.capacity ~= capacity { return tape }
    let new = Tape(capacity: capacity)
    if least...JSONReader.tokensKept ~= capacity { tape = new }
    return new
  }

  /// The first error in a text that is not JSON; found again from its beginning, off the hot path.
  private func fault(_ bytes: [UInt8]) -> JSONError {
    var fault = JSONFault(.value, at: 0)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      fault.kind = .byteOrderMark
    } else {
      do throws(JSONFault) { _ = try portableTape(bytes) } catch { fault = error }
    }
    if fault.kind == .escape, let error = halfCharacter(bytes, Int(fault.offset)) { return error }
    return fault.error(byteCount: bytes.count, depthMax: depthMax)
  }

  /// The error in a text that stops being JSON in half of a surrogate pair; nil for any other.
  private func halfCharacter(_ bytes: [UInt8], _ offset: Int) -> JSONError? {
    let halves = HalfCharacters(of: bytes)
    guard let escape = halves.escape(at: offset) else { return nil }
    // Nothing else may be wrong with the text, if what it is in is to be known.
    let place = root(of: halves.mended)?.place(of: escape)
    return .halfCharacter(offset: offset, pointer: place?.pointer, id: place?.id)
  }
}
