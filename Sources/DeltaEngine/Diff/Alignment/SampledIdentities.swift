/// Every 16th identity of a source list from an index on: a coarse index for resynchronizing after a
/// gap.
///
/// Of 32,768 elements or more it is every 64th: so many are not in the caches, and each sample waits
/// for memory.
@usableFromInline struct SampledIdentities<Element: Diffable> {
  @usableFromInline let source: Elements<Element>
  @usableFromInline let table: HashTable
  /// The index of the first sample.
  @usableFromInline let start: Int
  @usableFromInline let hash = IdentityHash()

  /// The distance between samples.
  @usableFromInline let spacing: Int

  @inlinable init(of source: Elements<Element>, from start: Int, in arena: inout Arena) {
    (self.source, self.start) = (source, start)
    spacing = source.count - start < 1 << 15 ? 16 : 64
    table = HashTable(count: (source.count - start) / spacing + 1, in: &arena)
    for (number, index) in stride(from: start, to: source.count, by: spacing).enumerated() {
      _ = table.insert(number, hash.hash(source[index].diffID, of: Element.self)) { _ in false }
    }
  }

  /// Returns the source index of a sampled identity, or -1.
  @inlinable func index(of id: Element.DiffID) -> Int {
    let number = table.find(hash.hash(id, of: Element.self)) {
      Element.isSame(source[start + $0 * spacing].diffID, id)
    }
    return number < 0 ? -1 : start + number * spacing
  }
}
