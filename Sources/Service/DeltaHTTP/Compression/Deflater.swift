import CZlib
import CollectionService
import Synchronization
import VersionedCollections

/// Creates self-contained deflated blocks (RFC 1951): they begin and end at byte boundaries, refer
/// to nothing before them, and are not marked as last.
///
/// zlib's state of some 260 KB is pooled.
enum Deflater {
  /// The largest text that is deflated at level 6, in bytes; larger ones use level 1, to save time.
  private static let carefulBytesMax = 1 << 20
  private static let poolMax = 4
  private static let pool = Mutex<[DeflateState]>([])

  static func deflate(_ text: [UInt8]) -> EncodedText {
    let state = pool.withLock { $0.popLast() } ?? DeflateState()
    let blocks = state.blocks(of: text, level: text.count > carefulBytesMax ? 1 : 6)
    pool.withLock { if $0.count < poolMax { $0.append(state) } }
    return EncodedText(blocks, inflated: TextSummary(text))
  }

  /// Returns a text as uncompressed blocks (RFC 1951 §3.2.4), for texts too short to gain.
  static func store(_ text: [UInt8]) -> [UInt8] {
    var blocks: [UInt8] = []
    blocks.reserveCapacity(text.count + 5 * (text.count / 0xFFFF + 1))
    var rest = text[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      let (low, high) = (UInt8(truncatingIfNeeded: block.count), UInt8(block.count >> 8))
      blocks += [0, low, high, ~low, ~high]
      blocks += block
      rest = rest.dropFirst(block.count)
    }
    return blocks
  }
}

/// The zlib state for raw deflate.
///
/// `@unchecked Sendable`: the pool lends it to one user at a time.
@safe private final class DeflateState: @unchecked Sendable {
  // On the heap, because zlib keeps a pointer to it.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var level: Int32 = 6

  init() {
    unsafe stream.initialize(to: z_stream())
    let code = unsafe livedelta_deflate_init(stream, level, -15)
    precondition(code == Z_OK, "deflateInit2: \(code)")  // out of memory, or another zlib
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  func blocks(of text: [UInt8], level: Int32) -> [UInt8] {
    unsafe deflateReset(stream)
    if level != self.level {
      unsafe deflateParams(stream, level, Z_DEFAULT_STRATEGY)
      self.level = level
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(max(text.count / 2, 1 << 10), 64 << 10))
    unsafe text.withUnsafeBufferPointer { text in
      var position = 0
      repeat {
        let count = min(text.count - position, 1 << 30)
        unsafe stream.pointee.next_in = UnsafeMutablePointer(
          mutating: text.baseAddress.map { unsafe $0 + position })
        unsafe stream.pointee.avail_in = UInt32(count)
        position += count
        run(position == text.count ? Z_SYNC_FLUSH : Z_NO_FLUSH, &buffer, into: &output)
      } while position < text.count
    }
    return output
  }

  /// Deflates the pending input; complete when zlib leaves room in the buffer (zlib.h, `deflate`).
  private func run(_ flush: Int32, _ buffer: inout [UInt8], into output: inout [UInt8]) {
    var isFull = true
    while isFull {
      let count = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        // Fails only when there is nothing to do.
        _ = unsafe CZlib.deflate(stream, flush)
        return unsafe buffer.count - Int(stream.pointee.avail_out)
      }
      output += buffer[..<count]
      isFull = count == buffer.count
    }
  }
}
