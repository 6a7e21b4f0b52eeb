import DeltaEngine
import SnapshotJSON

/// Stored bytes that are not what was stored; the text is for the log.
public struct DamagedData: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: String

  /// Says what is wrong.
  public init(_ reason: String) { self.reason = reason }
}

/// Puts stored bytes together: numbers of seven bits a byte, hashes as they are, and a checksum at
/// the end, so that a flipped bit is found when the bytes are read.
///
/// Bytes that need not be in memory all at once go to a sink, piece by piece.
struct StoredBytesWriter {
  private var bytes: [UInt8] = []
  private let sink: StoredBytesSink?
  /// How many bytes there are when pieces go to the sink.
  private let bytesMax: Int

  init(kind: UInt8, capacity: Int, sink: StoredBytesSink? = nil) {
    self.sink = sink
    bytesMax = sink?.pieceBytes ?? .max
    bytes.reserveCapacity(capacity)
    bytes.append(kind)
  }

  /// A number from 0, least significant bits first (LEB128).
  mutating func number(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    if bytes.count > bytesMax { sink?.takePieces(of: &bytes) }
  }

  mutating func text(_ text: ArraySlice<UInt8>) {
    number(text.count)
    bytes.append(contentsOf: text)
    if bytes.count > bytesMax { sink?.takePieces(of: &bytes) }
  }

  mutating func hash(_ hash: ContentHash) {
    word(hash.high)
    word(hash.low)
  }

  mutating func record(_ record: VersionRecord) {
    number(record.seq)
    number(Int(record.date))
    word(record.digest.high)
    number(Int(record.digest.low))
    number(record.meta == nil ? 0 : 1)
    if let meta = record.meta { hash(meta) }
  }

  /// The bytes with their checksum; those that are left when there is a sink, which gets them too.
  @discardableResult
  consuming func finish() -> [UInt8] {
    let checksum = sink?.checksum(with: bytes) ?? hash64(bytes)
    word(checksum)
    sink?.takeLast(bytes)
    return bytes
  }

  private mutating func word(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Hands stored bytes on in pieces of one size while they are written; the last may be shorter.
final class StoredBytesSink {
  let pieceBytes: Int
  private var stream = HashStream()
  private let take: (_ piece: [UInt8], _ isLast: Bool) -> Void

  init(pieceBytes: Int, _ take: @escaping (_ piece: [UInt8], _ isLast: Bool) -> Void) {
    self.pieceBytes = pieceBytes
    self.take = take
  }

  /// Hands on all whole pieces, and leaves at least a byte.
  func takePieces(of bytes: inout [UInt8]) {
    var offset = 0
    while bytes.count - offset > pieceBytes {
      let piece = Array(bytes[offset..<offset + pieceBytes])
      piece.withUnsafeBytes { stream.add($0) }
      take(piece, false)
      offset += pieceBytes
    }
    bytes.removeSubrange(..<offset)
  }

  /// The checksum of all bytes, when these are the last.
  func checksum(with rest: [UInt8]) -> UInt64 {
    rest.withUnsafeBytes { stream.add($0) }
    return stream.hash64
  }

  /// Hands on what is left.
  func takeLast(_ bytes: [UInt8]) {
    var rest = bytes
    takePieces(of: &rest)
    take(rest, true)
  }
}

/// Takes stored bytes apart again; believes nothing.
struct StoredBytesReader {
  private let bytes: [UInt8]
  private let end: Int
  private var offset = 1

  /// - Throws: `DamagedData` for bytes of another kind or with another checksum.
  init(_ bytes: [UInt8], kind: UInt8) throws(DamagedData) {
    guard bytes.count >= 9 else { throw DamagedData("\(bytes.count) bytes, too few") }
    self.bytes = bytes
    end = bytes.count - 8
    let checksum = bytes[end...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    guard hash64(bytes[..<end]) == checksum else {
      throw DamagedData("the checksum of \(bytes.count) bytes is wrong")
    }
    guard bytes[0] == kind else { throw DamagedData("of kind \(bytes[0]), expected \(kind)") }
  }

  mutating func number() throws(DamagedData) -> Int {
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

  /// A number that says how many follow, each of at least a byte.
  mutating func count() throws(DamagedData) -> Int {
    let count = try number()
    guard 0...(end - offset) ~= count else { throw DamagedData("\(count) more at \(offset)") }
    return count
  }

  /// A number below a bound.
  mutating func index(below bound: Int) throws(DamagedData) -> Int {
    let index = try number()
    guard 0..<bound ~= index else { throw DamagedData("index \(index) of \(bound)") }
    return index
  }

  mutating func text() throws(DamagedData) -> ArraySlice<UInt8> {
    let count = try count()
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  mutating func hash() throws(DamagedData) -> ContentHash {
    ContentHash(high: try word(), low: try word())
  }

  mutating func record() throws(DamagedData) -> VersionRecord {
    let seq = try number()
    guard 1...VersionToken.seqMax ~= seq else { throw DamagedData("version \(seq)") }
    let date = Int64(try number())
    let high = try word()
    let low = UInt32(truncatingIfNeeded: try number())
    let meta = try number() == 0 ? nil : try hash()
    return VersionRecord(
      seq: seq, digest: ContentDigest(high: high, low: low), meta: meta, date: date)
  }

  /// The date of the version that stored bytes begin with.
  ///
  /// - Parameter bytes: Their first 24 bytes, or more.
  /// - Returns: Seconds since 1970; nil when the bytes are none.
  static func date(of bytes: [UInt8]) -> Int64? {
    var reader = StoredBytesReader(unchecked: bytes)
    guard (try? reader.number()) != nil, let date = try? reader.number() else { return nil }
    return Int64(date)
  }

  private init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  /// Sees that nothing is left over.
  func finish() throws(DamagedData) {
    guard offset == end else { throw DamagedData("\(end - offset) bytes too many") }
  }

  private mutating func word() throws(DamagedData) -> UInt64 {
    guard offset + 8 <= end else { throw DamagedData("a word without end at \(offset)") }
    defer { offset += 8 }
    return bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
