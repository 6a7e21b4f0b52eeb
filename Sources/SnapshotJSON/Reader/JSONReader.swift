import CSimdJSON

/// Reads JSON texts into documents; every byte is validated.
///
/// The grammar is exactly RFC 8259: no trailing commas, comments, bare control characters or
/// lone surrogates, no byte order mark. Numbers are checked by their grammar and kept as text,
/// however long; none passes through a `Double`. Member names may repeat; who reads the document
/// decides what that means.
///
/// A reader owns scratch memory that it uses again for the next text: keep one for each queue or
/// thread. It is not `Sendable`; the documents are.
///
/// ```swift
/// let reader = JSONReader()
/// let document = try reader.read(Array(#"{"id":7}"#.utf8))
/// document.root["id"]?.rawText  // "7"
/// ```
@safe public final class JSONReader {
  /// How deep objects and arrays may be nested; 1 allows `[1]` but not `[[1]]`.
  public let depthMax: Int

  /// The largest text, in bytes, that any reader takes: 1 GiB.
  public static let byteCountMax = 1 << 30
  /// No `depthMax` is larger: values are walked recursively, on stacks of 512 KiB.
  public static let depthMaxMax = 512

  /// Scratch memory for texts up to this size, 2 MiB, is kept from one text to the next.
  private static let scratchKept = 1 << 21

  /// Nil when there was no memory for it.
  private let scanner: OpaquePointer?

  /// Makes a reader.
  ///
  /// - Parameter depthMax: How deep objects and arrays may be nested, 0 to `depthMaxMax`; values
  ///   outside are clamped.
  public init(depthMax: Int = 64) {
    self.depthMax = min(max(depthMax, 0), JSONReader.depthMaxMax)
    unsafe scanner = csj_scanner_create()
  }

  deinit {
    if let scanner = unsafe scanner { unsafe csj_scanner_destroy(scanner) }
  }

  /// Validates a whole text and makes a document of it.
  ///
  /// - Throws: `JSONError.syntax` for anything but one JSON value with optional white space around
  ///   it, `.tooDeep` over `depthMax`, `.tooLarge` over `byteCountMax` or out of memory.
  /// - Complexity: O(n) in the number of bytes.
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

  /// The tape of the scanned text, or nil when the text is not JSON or too deep.
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
