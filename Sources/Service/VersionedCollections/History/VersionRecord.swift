package import DeltaEngine

/// The metadata of a version.
package struct VersionRecord: Sendable {
  package var seq: Int
  var digest: ContentDigest
  package var meta: ContentHash?
  /// When it was committed, in seconds since 1970.
  package var date: Int64
}

extension StoredBytesWriter {
  package mutating func record(_ record: VersionRecord) {
    number(record.seq)
    number(Int(record.date))
    word(record.digest.high)
    number(Int(record.digest.low))
    number(record.meta == nil ? 0 : 1)
    if let meta = record.meta { hash(meta) }
  }
}

extension StoredBytesReader {
  package mutating func record() throws(DamagedData) -> VersionRecord {
    let seq = try number()
    guard 1...VersionToken.seqMax ~= seq else { throw DamagedData("version \(seq)") }
    let date = Int64(try number())
    let high = try word()
    let low = UInt32(truncatingIfNeeded: try number())
    let meta = try number() == 0 ? nil : try hash()
    return VersionRecord(
      seq: seq, digest: ContentDigest(high: high, low: low), meta: meta, date: date)
  }
}
