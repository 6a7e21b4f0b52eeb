import Glibc
import HTTP1

/// The requests without a body that connections sent last: who sends the same bytes again, as clients that
/// poll do, is given the same request without parsing them.
///
/// Connections share a fixed number of places by their descriptors, so that an idle one takes no memory of
/// its own.
struct KnownHeads: Sendable {
  private struct Entry {
    var bytes: [UInt8] = []
    var request: HTTPRequest?
  }

  /// The number of places, a power of two.
  static let count = 512
  /// The most bytes of a head that is kept.
  static let bytesMax = 2 << 10

  private var entries = [Entry](repeating: Entry(), count: count)

  private static func place(_ descriptor: Int32) -> Int { Int(descriptor) & (count - 1) }

  /// Returns the request that begins at a position, which is advanced past it; nil if it must be parsed.
  ///
  /// A head ends where it ended before, whatever follows it.
  func request(
    from descriptor: Int32, _ bytes: Span<UInt8>, at position: inout Int
  ) -> HTTPRequest? {
    let entry = entries[Self.place(descriptor)]
    guard let request = entry.request, entry.bytes.count <= bytes.count - position else {
      return nil
    }
    let isSame = unsafe entry.bytes.span.withUnsafeBytes { known in
      unsafe bytes.extracting(position...).withUnsafeBytes { received in
        guard let one = known.baseAddress, let other = received.baseAddress else { return false }
        return unsafe memcmp(one, other, known.count) == 0
      }
    }
    guard isSame else { return nil }
    position += entry.bytes.count
    return request
  }

  /// Keeps a request without a body that was parsed from these bytes, all of them.
  mutating func keep(_ request: HTTPRequest, _ bytes: Span<UInt8>, from descriptor: Int32) {
    guard bytes.count <= Self.bytesMax else { return }
    let place = Self.place(descriptor)
    entries[place].bytes.removeAll(keepingCapacity: true)
    bytes.append(to: &entries[place].bytes)
    entries[place].request = request
  }
}
