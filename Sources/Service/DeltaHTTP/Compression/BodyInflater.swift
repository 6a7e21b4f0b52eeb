import CZlib
import HTTP1

/// Decodes the content codings of a request body as it arrives.
///
/// Two limits are enforced with every piece: the limit on bodies, and ``ratioMax`` for the output
/// of each decoding stage relative to the bytes received. A decompression bomb is thus refused
/// after its first pieces, and holds no more memory than any other body.
///
/// `@unchecked Sendable`: used by the reader of one connection, on its event loop.
final class BodyInflater: BodyDecoder, @unchecked Sendable {
  /// The maximum ratio of decoded to received bytes.
  static let ratioMax = 200
  /// The output up to which the ratio is checked only at the end, as zlib may expand a short piece
  /// greatly.
  private static let ratioGraceBytes = 64 << 10
  /// The maximum number of stacked codings.
  static let codingsMax = 2

  private let stages: [InflateStage]
  private let bytesMax: Int
  /// The size of the output buffer, which is allocated only during a call.
  private static let bufferBytes = 32 << 10
  private var received = 0

  /// Creates a decoder for codings in the order that they were applied, without `identity`.
  init(_ codings: [ContentCoding], bytesMax: Int) {
    stages = codings.map { _ in InflateStage() }
    self.bytesMax = bytesMax
  }

  /// The memory that zlib holds for each coding: its state and a 32 KiB window.
  var heldBytes: Int { stages.count * (40 << 10) }

  func decode(_ bytes: Span<UInt8>, into content: inout [UInt8]) throws(RequestError) {
    received += bytes.count
    // Carries an error out of closures that cannot throw.
    var failure: RequestError?
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.bufferBytes) { buffer in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        do throws(RequestError) {
          try unsafe pass(bytes, stages[...], through: buffer, into: &content)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  func finish() throws(RequestError) {
    guard stages.allSatisfy(\.isAtEnd) else { throw .malformed(.contentCoding) }
    guard stages.allSatisfy({ $0.made <= Self.ratioMax * received }) else {
      throw .bodyInflatesTooMuch(ratio: Self.ratioMax)
    }
  }

  /// Passes bytes through the remaining stages and appends the output to the content.
  private func pass(
    _ bytes: UnsafeBufferPointer<UInt8>, _ stages: ArraySlice<InflateStage>,
    through buffer: UnsafeMutableBufferPointer<UInt8>, into content: inout [UInt8]
  ) throws(RequestError) {
    guard let stage = stages.first else { return unsafe content.append(contentsOf: bytes) }
    unsafe stage.put(bytes)
    // Each stage owns a part of the buffer, whose output is passed on before it is reused.
    let part = buffer.count / self.stages.count
    let start = part * (self.stages.count - stages.count)
    while true {
      let output = unsafe UnsafeMutableBufferPointer(rebasing: buffer[start..<(start + part)])
      let count = try unsafe stage.make(into: output)
      guard stage.made <= bytesMax else { throw .bodyTooLarge(limit: bytesMax) }
      guard stage.made <= Self.ratioMax * received + Self.ratioGraceBytes else {
        throw .bodyInflatesTooMuch(ratio: Self.ratioMax)
      }
      guard count > 0 else { return }
      try unsafe pass(
        UnsafeBufferPointer(rebasing: output[..<count]), stages.dropFirst(), through: buffer,
        into: &content)
    }
  }
}

/// Decodes gzip.
@safe private final class InflateStage {
  // On the heap, because zlib keeps a pointer to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  /// Whether the content so far is complete.
  private(set) var isAtEnd = false
  /// The number of bytes produced so far.
  private(set) var made = 0

  init() {
    unsafe stream.initialize(to: z_stream())
    let code = unsafe livedelta_inflate_init(stream, 15 + 16)
    precondition(code == Z_OK, "inflateInit2: \(code)")  // out of memory, or another zlib
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Sets the input, which must stay valid until `make` returns 0.
  func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
  }

  /// Inflates as much as the output has room for.
  ///
  /// - Returns: The number of bytes produced; 0 when the input is exhausted.
  func make(into output: UnsafeMutableBufferPointer<UInt8>) throws(RequestError) -> Int {
    while true {
      if isAtEnd {
        guard unsafe stream.pointee.avail_in > 0 else { return 0 }
        // RFC 1952 §2.2: a gzip file may have several members.
        guard unsafe inflateReset(stream) == Z_OK else { throw .malformed(.contentCoding) }
        isAtEnd = false
      }
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      let count = unsafe output.count - Int(stream.pointee.avail_out)
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw .malformed(.contentCoding)
      }
      isAtEnd = code == Z_STREAM_END
      made += count
      if count > 0 || !isAtEnd { return count }
    }
  }
}
