import GRDB

/// The parts of a write, in the order in which they are written.
///
/// What is larger than a part is in parts; and where many changes are one write, all that a part has
/// no room for. So the transaction at the end is small whatever there is to write.
struct PartList: Sendable {
  /// A piece of a set's bytes; copies share them.
  private struct Part {
    var bytes: ArraySlice<UInt8>
    var index: Int
    var set: Int64
  }

  private let partSets: PartSets
  private let partBytesMax: Int
  private var parts: [Part] = []
  /// The sets that were begun; to be ended when all is written, or never will be.
  private(set) var sets: [Int64] = []
  /// The bytes that are in no part.
  private(set) var inlineBytes = 0

  init(_ partSets: PartSets, partBytesMax: Int) {
    self.partSets = partSets
    self.partBytesMax = partBytesMax
  }

  /// Adds the bytes of an image or a change.
  mutating func add(_ bytes: [UInt8]) -> StoredData {
    if inlineBytes + bytes.count <= partBytesMax {
      inlineBytes += bytes.count
      return StoredData(bytes)
    }
    let set = partSets.begin()
    sets.append(set)
    for (index, start) in stride(from: 0, to: bytes.count, by: partBytesMax).enumerated() {
      let end = min(start + partBytesMax, bytes.count)
      parts.append(Part(bytes: bytes[start..<end], index: index, set: set))
    }
    return StoredData(partSet: set, byteCount: bytes.count)
  }

  /// What writes them, one a transaction, the first last; small ones go together.
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
