import SnapshotJSON

/// An id that may be the name of an occurrence: `id#k`, where `k` is at least 2.
///
/// Whether it is one, or was sent like this, only the text of the element tells.
struct OccurrenceName {
  /// The length in bytes of the id that all occurrences were sent with.
  let sentCount: Int

  /// Reads an id; nil if it cannot be the name of an occurrence.
  ///
  /// - Complexity: O(1).
  init?(_ id: Span<UInt8>) {
    var start = id.count
    let digitsMax = Snapshot.occurrenceSuffixMax - 1
    while start > 0, id.count - start < digitsMax, 0x30...0x39 ~= id[start - 1] { start -= 1 }
    guard start > 1, start < id.count, id[start - 1] == UInt8(ascii: "#") else { return nil }
    // Numbers are written without leading zeros, from 2 on.
    let isOne = id.count - start == 1 && id[start] == UInt8(ascii: "1")
    guard id[start] != UInt8(ascii: "0"), !isOne else { return nil }
    sentCount = start - 1
  }
}
