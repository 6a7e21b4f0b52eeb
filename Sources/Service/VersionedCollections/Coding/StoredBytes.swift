package import DeltaEngine
import SnapshotJSON

/// Stored data that is corrupt; the text is for the log.
public struct DamagedData: Error, Hashable, Sendable {
  /// The reason, for the log.
  public var reason: String

  /// Creates an error.
  public init(_ reason: String) { self.reason = reason }
}

/// An encoder of stored data: LEB128 numbers, raw hashes, and a checksum at the end.
///
/// Data too large to be held in memory is passed to a sink in pieces.
package struct StoredBytesWriter {
  private var bytes: [UInt8] = []
  private let sink: StoredBytesSink?
  /// The number of buffered bytes above which pieces are passed to the sink.
  private let bytesMax: Int

  package init(kind: UInt8, capacity: Int, sink: StoredBytesSink? = nil) {
    self.sink = sink
    bytesMax = sink?.pieceBytes ?? .max
    bytes.reserveCapacity(capacity)
    bytes.append(kind)
  }

  /// Appends a non-negative number in LEB128.
  package mutating func number(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    if bytes.count > bytesMax { sink?.takePieces(of: &bytes) }
  }

  package mutating func text(_ text: ArraySlice<UInt8>) {
    number(text.count)
    bytes.append(contentsOf: text)
    if bytes.count > bytesMax { sink?.takePieces(of: &bytes) }
  }

  package mutating func hash(_ hash: ContentHash) {
    word(hash.high)
    word(hash.low)
  }

  /// Appends the checksum and returns the bytes, or only the last of them if there is a sink.
  @discardableResult
  package consuming func finish() -> [UInt8] {
    let checksum = sink?.checksum(with: bytes) ?? hash64(bytes)
    word(checksum)
    sink?.takeLast(bytes)
    return bytes
  }

  mutating func word(_ value: UInt64) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }
}

extension StoredBytesWriter {
  /// Writes 0 where release 0.1.0 wrote what it kept of lists inside items.
  mutating func noLists() { number(0) }
}

extension StoredBytesReader {
  /// Reads what ``StoredBytesWriter/noLists()`` wrote.
  ///
  /// - Throws: `DamagedData` if release 0.1.0 kept lists inside items there.
  mutating func noLists() throws(DamagedData) {
    guard try number() == 0 else {
      throw DamagedData("it has lists inside items, which only release 0.1.0 kept")
    }
  }
}

/// Passes encoded data on in pieces of equal size, while it is written; the last may be shorter.
package final class StoredBytesSink {
  let pieceBytes: Int
  private var stream = HashStream()
  private let take: (_ piece: [UInt8], _ isLast: Bool) -> Void

  package init(pieceBytes: Int, _ take: @escaping (_ piece: [UInt8], _ isLast: Bool) -> Void) {
    self.pieceBytes = pieceBytes
    self.take = take
  }

  /// Passes on all complete pieces, leaving at least one byte.
  func takePieces(of bytes: inout [UInt8]) {
    var offset = 0
    while bytes.count - offset > pieceBytes {
      let piece = Array(bytes[offset..<offset + pieceBytes])
      unsafe piece.withUnsafeBytes { unsafe stream.add($0) }
      take(piece, false)
      offset += pieceBytes
    }
    bytes.removeSubrange(..<offset)
  }

  /// The checksum of all data, of which `rest` is the end.
  func checksum(with rest: [UInt8]) -> UInt64 {
    unsafe rest.withUnsafeBytes { unsafe stream.add($0) }
    return stream.hash64
  }

  func takeLast(_ bytes: [UInt8]) {
    var rest = bytes
    takePieces(of: &rest)
    take(rest, true)
  }
}

/// A decoder of stored data, which validates everything it reads.
package struct StoredBytesReader {
  private let bytes: [UInt8]
  private let end: Int
  private var offset = 1

  /// - Throws: `DamagedData` if the data is of another kind or its checksum is wrong.
  package init(_ bytes: [UInt8], kind: UInt8) throws(DamagedData) {
    guard bytes.count >= 9 else { throw DamagedData("\(bytes.count) bytes, too few") }
    self.bytes = bytes
    end = bytes.count - 8
    let checksum = bytes[end...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    guard hash64(bytes[..<end]) == checksum else {
      throw DamagedData("the checksum of \(bytes.count) bytes is wrong")
    }
    guard bytes[0] == kind else { throw DamagedData("of kind \(bytes[0]), expected \(kind)") }
  }

  package mutating func number() throws(DamagedData) -> Int {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while offset < end, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return Int(truncatingIfNeeded: value) }
      shift += 7
    }
    throw DamagedData("a number without end at \(offset)")
  }

  /// Reads the number of following elements, each at least one byte long.
  package mutating func count() throws(DamagedData) -> Int {
    let count = try number()
    guard 0...(end - offset) ~= count else { throw DamagedData("\(count) more at \(offset)") }
    return count
  }

  package mutating func index(below bound: Int) throws(DamagedData) -> Int {
    let index = try number()
    guard 0..<bound ~= index else { throw DamagedData("index \(index) of \(bound)") }
    return index
  }

  package mutating func text() throws(DamagedData) -> ArraySlice<UInt8> {
    let count = try count()
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  package mutating func hash() throws(DamagedData) -> ContentHash {
    ContentHash(high: try word(), low: try word())
  }

  /// Returns the date of the version that encoded data, of which 24 bytes suffice, starts with; nil if they are
  /// invalid.
  package static func date(of bytes: [UInt8]) -> Int64? {
    var reader = StoredBytesReader(unchecked: bytes)
    do {
      _ = try reader.number()
      return Int64(try reader.number())
    } catch {
      return nil
    }
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  /// Throws if there is more data.
  package func finish() throws(DamagedData) {
    guard offset == end else { throw DamagedData("\(end - offset) bytes too many") }
  }

  mutating func word() throws(DamagedData) -> UInt64 {
    guard offset + 8 <= end else { throw DamagedData("a word without end at \(offset)") }
    defer { offset += 8 }
    return bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
