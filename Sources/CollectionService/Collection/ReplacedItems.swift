import DeltaEngine
import SnapshotJSON

/// The JSON that items had before they changed, by the hash of their content: what merge patches for
/// readers of older versions start from.
///
/// A cache, which only memory has: what is not here is sent whole. The items that the newest version
/// replaced stay; older ones go, oldest first, when all are too many bytes.
struct ReplacedItems: Sendable {
  /// The items that one version replaced.
  struct Batch: Sendable {
    fileprivate var hashes: [ContentHash] = []
    fileprivate var texts = Contents.none

    var byteCount: Int { hashes.count * MemoryLayout<ContentHash>.stride + texts.byteCount }
  }

  private var batches: [Batch] = []
  /// About how much memory they take.
  private(set) var byteCount = 0

  /// Adds what the next version replaced.
  mutating func append(_ batch: Batch, bytesMax: Int) {
    if batch.hashes.isEmpty { return }
    batches.append(batch)
    byteCount += batch.byteCount
    var dropped = 0
    while byteCount > bytesMax, dropped + 1 < batches.count {
      byteCount -= batches[dropped].byteCount
      dropped += 1
    }
    batches.removeFirst(dropped)
  }

  /// The JSON of the items with these hashes, as far as it is here.
  ///
  /// - Complexity: O(n) in the items that are here.
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
  /// The items of a version that a delta from it replaces.
  init(_ delta: Delta, of sections: [StructureSection], _ contents: Contents) {
    let replaced = delta.changes.reloadedItems.map(\.source)
    if replaced.isEmpty { return }
    let first = sections.firstItemIndices
    let texts = replaced.map { contents.item(at: first[$0.section] + $0.item) }
    var builder = ContentsBuilder(byteCount: texts.reduce(0) { $0 + $1.count })
    for text in texts { builder.add(item: text) }
    self.texts = builder.contents
    hashes = replaced.map { sections[$0.section].items[$0.item].content }
  }
}

extension CollectionState {
  /// What an encoder needs for readers who take merge patches of items.
  ///
  /// - Parameters:
  ///   - material: The delta.
  ///   - includesHead: Whether the head's own items may be those that it starts from.
  ///   - reader: Reads JSON.
  /// - Returns: The same delta, with other entries.
  func patchingItems(
    _ material: DeltaMaterial, includesHead: Bool = false, _ reader: JSONReader
  ) -> DeltaMaterial {
    // Members that equality leaves out, and lists, may be others than a reader of the version has; and
    // under hashes that are not its contents' no reader could tell whether it has the right ones.
    guard settings.comparesAll, overrides.isEmpty else { return material.patchingItems(reader) }
    let hashes = material.replacedHashes
    var texts = replaced.texts(of: hashes)
    if includesHead {
      for (flat, item) in sections.lazy.flatMap(\.items).enumerated()
      where hashes.contains(item.content) {
        texts[item.content] = contents.item(at: flat)
      }
    }
    return material.patchingItems(reader) { item in
      guard let text = texts[item.content],
        // Shown under another hash than its own it may be other contents too.
        (try? reader.read(Array(text)).root.contentHash()) == item.content
      else { return nil }
      return text
    }
  }
}
