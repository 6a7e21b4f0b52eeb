import DeltaEngine
import SnapshotJSON

/// The previous JSON of changed and deleted items by content hash: merge patches are computed from it, and views of older
/// versions.
///
/// Where a store has the contents of older versions this is a cache: items not found are sent in full, or read from it. The
/// items that the newest version replaced are kept; older ones are evicted, oldest first, when the total is too large.
struct ReplacedItems: Sendable {
  struct Batch: Sendable {
    fileprivate var hashes: [ContentHash] = []
    fileprivate var texts = Contents.none

    var byteCount: Int { hashes.count * MemoryLayout<ContentHash>.stride + texts.byteCount }
  }

  private var batches: [Batch] = []
  private(set) var byteCount = 0

  /// Adds the items that a new version replaced.
  ///
  /// - Parameters:
  ///   - batch: The items.
  ///   - bytesMax: The most bytes to keep, besides these items.
  ///   - countMax: The most versions whose items are kept.
  mutating func append(_ batch: Batch, bytesMax: Int, countMax: Int = .max) {
    if batch.hashes.isEmpty { return }
    batches.append(batch)
    byteCount += batch.byteCount
    var dropped = 0
    while byteCount > bytesMax || batches.count - dropped > countMax, dropped + 1 < batches.count {
      byteCount -= batches[dropped].byteCount
      dropped += 1
    }
    batches.removeFirst(dropped)
  }

  /// Returns the JSON of those items with the given hashes that are cached.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cached items.
  func texts(of hashes: Set<ContentHash>) -> [ContentHash: ArraySlice<UInt8>] {
    var found: [ContentHash: ArraySlice<UInt8>] = [:]
    for batch in batches {
      for (index, hash) in batch.hashes.enumerated() where hashes.contains(hash) {
        found[hash] = batch.texts.item(at: index)
      }
    }
    return found
  }
}

extension ReplacedItems.Batch {
  /// Collects the items of a version that a delta replaces or deletes.
  package init(_ delta: Delta, of sections: [StructureSection], _ contents: Contents) {
    let replaced = delta.changes.reloadedItems.map(\.source) + delta.changes.deletedItems
    if replaced.isEmpty { return }
    let first = sections.firstItemIndices
    let texts = replaced.map { contents.item(at: first[$0.section] + $0.item) }
    var builder = ContentsBuilder(byteCount: texts.reduce(0) { $0 + $1.count })
    for text in texts { builder.add(item: text) }
    self.texts = builder.contents
    hashes = replaced.map { sections[$0.section].items[$0.item].content }
  }
}
