/// What changed between two versions, as all views of them see it.
package struct ViewChanges: Sendable {
  /// Runs of unchanged items, consecutive in both versions, in ascending target order.
  private(set) var runs: [VersionComparison.Run] = []
  /// The other items of the newer version.
  private(set) var fresh: [Range<Int>] = []

  /// The approximate size in bytes.
  var byteCount: Int {
    runs.count * MemoryLayout<VersionComparison.Run>.stride
      + fresh.count * MemoryLayout<Range<Int>>.stride
  }

  /// Compares two versions.
  ///
  /// Items are unchanged if their bytes are; equal content is not enough, because equality may ignore what a term
  /// asks for.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items, and in the bytes of those that both versions have in
  ///   different memory.
  package init(from older: ViewableVersion, to newer: ViewableVersion) {
    let isCompared: Void? =
      older.contents.withItems { old in
        newer.contents.withItems { new in
          var flat = 0
          for section in newer.sections {
            for item in section.items {
              let source = older.flatIndex(of: item.uniqueID)
              add(flat, isKept(source, old, flat, new) ? source : nil)
              flat += 1
            }
          }
        }
      } ?? nil
    if isCompared == nil, newer.itemCount > 0 { fresh = [0..<newer.itemCount] }
  }

  private func isKept(
    _ source: Int?, _ old: Contents.Items, _ target: Int, _ new: Contents.Items
  ) -> Bool {
    guard let source, source < old.count, target < new.count else { return false }
    return old.byteCount(source) > 0 && old.isSame(source, as: new, target)
  }

  private mutating func add(_ target: Int, _ source: Int?) {
    if let source {
      runs.add(source, target, 1)
    } else if let last = fresh.last, last.upperBound == target {
      fresh[fresh.count - 1] = last.lowerBound..<target + 1
    } else {
      fresh.append(target..<target + 1)
    }
  }
}
