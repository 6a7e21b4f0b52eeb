import VersionedCollections

/// The parts of a write, in the order to be written.
///
/// Data larger than a part is split into parts; in a write with many changes, so is everything that
/// exceeds the size of one part in total. The final transaction is therefore always small.
struct PartList: Sendable {
  /// A slice of a set's bytes, which shares their storage.
  private struct Part {
    var bytes: ArraySlice<UInt8>
    var index: Int
    var set: Int64
  }

  private let partSets: PartSets
  private let partBytesMax: Int
  private var parts: [Part] = []
  /// The sets begun, which must be ended once they are written or the write has failed.
  private(set) var sets: [Int64] = []
  /// The bytes not stored in parts.
  private(set) var inlineBytes = 0

  init(_ partSets: PartSets, partBytesMax: Int) {
    self.partSets = partSets
    self.partBytesMax = partBytesMax
  }

  /// Adds the bytes of an image or a change.
  mutating func add(_ bytes: [UInt8], _ version: VersionToken, itemCount: Int) -> StoredRow {
    if inlineBytes + bytes.count <= partBytesMax {
      inlineBytes += bytes.count
      return StoredRow(version: version, itemCount: itemCount, bytes: bytes)
    }
    let set = partSets.begin()
    sets.append(set)
    for (index, start) in stride(from: 0, to: bytes.count, by: partBytesMax).enumerated() {
      let end = min(start + partBytesMax, bytes.count)
      parts.append(Part(bytes: bytes[start..<end], index: index, set: set))
    }
    return StoredRow(version: version, itemCount: itemCount, partSet: set)
  }

  /// Closures that write the parts, one per transaction and in reverse order; small parts are
  /// combined.
  var writes: [@Sendable (StoreTables) throws -> Void] {
    var groups: [[Part]] = []
    var byteCount = Int.max
    for part in parts {
      if byteCount > partBytesMax - part.bytes.count {
        groups.append([])
        byteCount = 0
      }
      groups[groups.count - 1].append(part)
      byteCount += part.bytes.count
    }
    return groups.reversed().map { group in
      { tables in
        for part in group { try tables.put(part: part.bytes, part.index, of: part.set) }
      }
    }
  }
}
