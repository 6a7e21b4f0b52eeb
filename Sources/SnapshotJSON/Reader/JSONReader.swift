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
    let status = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe csj_scanner_scan(scanner, $0, buffer.count) }
        ?? CSJ_MALFORMED
    }
    defer { unsafe csj_scanner_trim(scanner, JSONReader.scratchKept) }
    if status == CSJ_TOO_LARGE { throw tooLarge(bytes) }
    guard status == CSJ_OK, let tape = unsafe tape(scanner, count: bytes.count) else {
      throw fault(bytes)
    }
    return JSONDocument(storage: JSONStorage(bytes: bytes, tape: tape))
  }

  /// Builds the tape of a scanned text; nil if it is not JSON or too deep.
  private func tape(_ scanner: OpaquePointer, count: Int) -> [Token]? {
    let indexCount = unsafe csj_scanner_index_count(scanner)
    var isValid = false
    let tape = unsafe [Token](unsafeUninitializedCapacity: indexCount) { buffer, used in
      guard let base = buffer.baseAddress else { return }
      var builder = unsafe TapeBuilder(
        text: csj_scanner_text(scanner), count: UInt32(count),
        indexes: csj_scanner_indexes(scanner), indexCount: indexCount, tape: base,
        depthMax: depthMax)
      isValid = builder.build()
      used = isValid ? Int(builder.tokenCount) : 0
    }
    return isValid ? tape : nil
  }

  private func fault(_ bytes: [UInt8]) -> JSONError {
    FaultLocator.fault(in: bytes, depthMax: depthMax) ?? .syntax(offset: 0, reason: "not JSON")
  }

  private func tooLarge(_ bytes: [UInt8]) -> JSONError {
    .tooLarge(byteCount: bytes.count, limit: JSONReader.byteCountMax)
  }
}
