#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension SnapshotReader {
  /// Refuses two sections, or two items anywhere, with one id.
  ///
  /// One open-addressing table on the seeded id hashes; ids are compared as bytes only where the
  /// hashes are equal.
  mutating func refuseDuplicates(_ layout: Layout, _ out: Output) throws(SnapshotError) {
    try refuse(
      repeated(sections.count, hash: { sections[$0].idHash }, id: { sections[$0].id }, out),
      noun: "section", id: { sections[$0].id }, out
    ) { "/sections/\($0)/id" }
    try refuse(
      repeated(items.count, hash: { items[$0].idHash }, id: { items[$0].id }, out),
      noun: "item", id: { items[$0].id }, out
    ) { itemPlace($0, layout) + "/id" }
  }

  /// The elements whose id an earlier one has, each with the first that has it; at most as many
  /// as an error reports.
  private func repeated(
    _ count: Int, hash: (Int) -> UInt64, id: (Int) -> Snapshot.Slice, _ out: Output
  ) -> [(first: Int, again: Int)] {
    guard count > 1 else { return [] }
    var table = [UInt32](repeating: 0, count: (count * 2).nextPowerOfTwo)
    let mask = table.count - 1
    var found: [(first: Int, again: Int)] = []
    for element in 0..<count {
      var slot = Int(truncatingIfNeeded: hash(element)) & mask
      while table[slot] != 0 {
        let other = Int(table[slot]) - 1
        if hash(other) == hash(element), isEqual(id(other), id(element), out) {
          found.append((other, element))
          break
        }
        slot = (slot + 1) & mask
      }
      if table[slot] == 0 { table[slot] = UInt32(element + 1) }
      if found.count >= SnapshotError.entriesMax { break }
    }
    return found
  }

  private func isEqual(_ lhs: Snapshot.Slice, _ rhs: Snapshot.Slice, _ out: Output) -> Bool {
    lhs.count == rhs.count && memcmp(out + lhs.offset, out + rhs.offset, lhs.count) == 0
  }

  private func refuse(
    _ repeated: [(first: Int, again: Int)], noun: String, id: (Int) -> Snapshot.Slice,
    _ out: Output, place: (Int) -> String
  ) throws(SnapshotError) {
    guard !repeated.isEmpty else { return }
    var entries: [SnapshotError.Entry] = []
    for first in Set(repeated.map(\.first)).sorted() {
      let text = String(decoding: bytes(id(first), out), as: UTF8.self)
      for element in [first] + repeated.filter({ $0.first == first }).map(\.again) {
        entries.append(
          SnapshotError.Entry(pointer: pointer + place(element), detail: "\(noun) id \"\(text)\""))
      }
    }
    throw SnapshotError(
      code: .duplicateID, entries: Array(entries.prefix(SnapshotError.entriesMax)),
      detail: "each \(noun) id must be unique in the collection")
  }

  /// The pointer to an item by its index among all.
  private func itemPlace(_ item: Int, _ layout: Layout) -> String {
    let section = sections.firstIndex { $0.items.contains(item) } ?? 0
    return layout.itemPointer(section: section, item: item - sections[section].items.lowerBound)
  }
}

extension Int {
  fileprivate var nextPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
