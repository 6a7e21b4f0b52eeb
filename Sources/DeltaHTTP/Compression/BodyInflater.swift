import CZlib
import HTTP1

/// Takes the content codings off a request's body while it comes.
///
/// Three bounds hold at every byte, not at the end: the limit of bodies, and that nothing is more than
/// ``ratioMax`` times as long as what came over the wire, neither the content nor what is passed between
/// two codings. So a bomb is refused with its first pieces, and holds no more memory than any body.
///
/// `@unchecked Sendable`: one connection's reader uses it, on its event loop.
final class BodyInflater: BodyDecoder, @unchecked Sendable {
  /// How many times as long as what was sent a content may be.
  static let ratioMax = 200
  /// The ratio of less content is checked at the end only: zlib may make much of a short piece.
  private static let ratioGraceBytes = 64 << 10
  /// Codings one on top of another that are taken off.
  static let codingsMax = 2

  private let stages: [InflateStage]
  private let bytesMax: Int
  /// The bytes that are inflated at once, in memory that is there only during a call.
  private static let bufferBytes = 32 << 10
  private var received = 0

  /// Undoes codings.
  ///
  /// - Parameters:
  ///   - codings: In the order that they were applied; none of them is `identity`.
  ///   - bytesMax: The limit of bodies.
  init(_ codings: [ContentCoding], bytesMax: Int) {
    stages = codings.reversed().map { InflateStage(isGzip: $0 == .gzip) }
    self.bytesMax = bytesMax
  }

  /// The memory of zlib for each coding: its state, and a window of 32 KiB.
  var heldBytes: Int { stages.count * (40 << 10) }

  func decode(_ bytes: Span<UInt8>, into content: inout [UInt8]) throws(RequestError) {
    received += bytes.count
    // The way out of a closure that cannot throw.
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

  /// Passes bytes through the remaining stages, and appends the result to the content.
  private func pass(
    _ bytes: UnsafeBufferPointer<UInt8>, _ stages: ArraySlice<InflateStage>,
    through buffer: UnsafeMutableBufferPointer<UInt8>, into content: inout [UInt8]
  ) throws(RequestError) {
    guard let stage = stages.first else { return unsafe content.append(contentsOf: bytes) }
    unsafe stage.put(bytes)
    // Each stage has a part of the buffer: what it makes is passed on before it makes more.
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

/// Takes one coding off.
@safe private final class InflateStage {
  // On the heap: zlib keeps a pointer to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let isGzip: Bool
  /// Whether the content so far is complete.
  private(set) var isAtEnd = false
  /// The bytes made so far.
  private(set) var made = 0

  init(isGzip: Bool) {
    self.isGzip = isGzip
    unsafe stream.initialize(to: z_stream())
    let code = unsafe livedelta_inflate_init(stream, isGzip ? 15 + 16 : 15)
    precondition(code == Z_OK, "inflateInit2: \(code)")  // out of memory, or another zlib
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Sets the input, which must stay in memory until `make` returns 0.
  func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
    unsafe stream.pointee.avail_in = UInt32(bytes.count)
  }

  /// Inflates as much as there is room for.
  ///
  /// - Returns: The number of bytes; 0 when no more can be made of what was put in.
  func make(into output: UnsafeMutableBufferPointer<UInt8>) throws(RequestError) -> Int {
    while true {
      if isAtEnd {
        guard unsafe stream.pointee.avail_in > 0 else { return 0 }
        // RFC 1952 §2.2: a gzip file may have several members; RFC 1950 has one stream.
        guard isGzip, unsafe inflateReset(stream) == Z_OK else { throw .malformed(.contentCoding) }
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
