import DeltaEngine
import SnapshotJSON
import Synchronization

/// The items that a small change inserts, deletes, moves or reloads, with their texts before and after.
///
/// A view that has none of them, before or after, shows the same of both versions: its items are others, unchanged and
/// in the same order. So who waits for a view costs what a change touches, however many items there are.
package final class TouchedItems: Sendable {
  /// What the change leaves, as all views see it.
  let changes: ViewChanges
  /// Whether all ids stay where they are.
  var keepsIDs: Bool { replaced.count * 2 == texts.count }
  /// What the reloaded items were, if nothing else is touched.
  let replaced: [(flat: Int, item: StructureItem, text: ArraySlice<UInt8>)]
  private let texts: [ArraySlice<UInt8>]
  /// The values of the texts that views ask for.
  private let columns = ItemColumns(bytesMax: bytesMax)
  private let verdicts = Mutex<[View: Bool]>([:])

  /// The most items, and the most bytes of their texts.
  private static let (countMax, bytesMax) = (64, 16 << 10)

  /// Finds the items; nil if there are many, or a section changes.
  init?(
    _ delta: Delta, _ comparison: VersionComparison,
    from older: (sections: [StructureSection], contents: Contents),
    to newer: (sections: [StructureSection], contents: Contents)
  ) {
    let changes = delta.changes
    guard !changes.hasSectionOperations, changes.reloadedSections.isEmpty,
      changes.count <= Self.countMax
    else { return nil }
    let first = (older.sections.firstItemIndices, newer.sections.firstItemIndices)
    let pairs = changes.movedItems + changes.reloadedItems
    let before = (changes.deletedItems + pairs.map(\.source)).map { first.0[$0.section] + $0.item }
    let after = (changes.insertedItems + pairs.map(\.target)).map { first.1[$0.section] + $0.item }
    let texts = before.map(older.contents.item) + after.map(newer.contents.item)
    guard texts.reduce(0, { $0 + $1.count }) <= Self.bytesMax else { return nil }
    // Copies: a slice keeps all that it is part of.
    self.texts = texts.map { Array($0)[...] }
    replaced =
      changes.count == changes.reloadedItems.count
      ? zip(changes.reloadedItems, zip(before, self.texts)).map { pair, old in
        (old.0, older.sections[pair.source.section].items[pair.source.item], old.1)
      } : []
    self.changes = ViewChanges(
      comparison.runs, (older.contents.itemCount, newer.contents.itemCount),
      keepsOrder: changes.movedItems.isEmpty)
  }

  var byteCount: Int {
    texts.reduce(256) { $0 + $1.count + 32 } + changes.byteCount + columns.byteCount
  }

  /// Whether a reader may see something else of the newer version, or other items may be allowed to it.
  ///
  /// Equal views are asked once.
  func mayTouch(_ query: ViewQuery, _ reader: JSONReader) -> Bool {
    if let known = verdicts.withLock({ $0[query.view] }) { return known }
    let mayTouch = mayTouch(query.view, reader)
    verdicts.withLock { verdicts in
      if verdicts.count >= Self.verdictsMax { verdicts = [:] }
      verdicts[query.view] = mayTouch
    }
    return mayTouch
  }

  /// The most views whose answers are remembered; those that wait have them in memory anyway.
  private static let verdictsMax = 64

  private func mayTouch(_ view: View, _ reader: JSONReader) -> Bool {
    // What is imposed on members has terms see other values than those in the columns.
    guard view.restriction?.selection == nil else { return true }
    let terms = view.imposedTerms.isEmpty ? view.terms : view.imposedTerms
    do {
      let touched = try columns.places(
        Array(texts.indices), satisfying: terms, of: texts.indices, { texts[$0] }, reader,
        .unlimited)
      return touched?.isEmpty != true
    } catch {
      // Without a limit nothing ends it.
      return true
    }
  }
}
