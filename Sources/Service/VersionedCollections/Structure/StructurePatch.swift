import DeltaEngine

/// A reverse patch from a version's structure to that of the previous version.
///
/// Runs of items in the same order in both versions are stored as indices, others in full. A
/// version that differs by ten edits takes some hundred bytes, however long the list is.
package struct StructurePatch: Sendable {
  private struct Section {
    var uniqueID: UInt32
    var header: ContentHash
    var itemCount: Int32
  }

  /// Items of the newer version from flat index `start` on, or, if that is -1, the next of
  /// `literals`.
  private struct Run {
    var start: Int32
    var count: Int32
  }

  private var sections: [Section]
  private var runs: [Run] = []
  private var literals: [StructureItem] = []

  /// Creates the patch to an older version, which is the source of the comparison.
  package init(to older: [StructureSection], _ comparison: VersionComparison) {
    sections = older.map {
      Section(uniqueID: $0.uniqueID, header: $0.header, itemCount: Int32($0.items.count))
    }
    literals = comparison.replaced
    var end = 0
    for run in comparison.runs.sorted(by: { $0.source < $1.source }) {
      if run.source > end { runs.append(Run(start: -1, count: Int32(run.source - end))) }
      runs.append(Run(start: Int32(run.target), count: Int32(run.count)))
      end = run.source + run.count
    }
    let rest = older.itemCount - end
    if rest > 0 { runs.append(Run(start: -1, count: Int32(rest))) }
  }

  /// Returns the older structure.
  package func apply(to newer: [StructureSection]) -> [StructureSection] {
    var items = newer.flatItems
    apply(to: &items)
    return sections(of: items)
  }

  /// Makes the items of the newer version those of the older one.
  ///
  /// - Complexity: O(*k*), where *k* is the number of literals and runs, if all other items are where they were.
  func apply(to items: inout [StructureItem]) {
    if keepsPlaces(of: items.count) {
      forEachRun { place, _, literals in
        for (place, item) in zip(place..., literals) { items[place] = item }
      }
      return
    }
    let base = items
    items = []
    items.reserveCapacity(itemCount)
    forEachRun { _, run, literals in
      items += run.isEmpty ? literals : base[run.clamped(to: base.indices)]
    }
  }

  /// Cuts the items of the older version into its sections.
  func sections(of items: [StructureItem]) -> [StructureSection] {
    var first = 0
    return sections.map { section in
      let end = first + Int(section.itemCount)
      defer { first = end }
      return StructureSection(
        uniqueID: section.uniqueID, header: section.header,
        items: Array(items[(first..<end).clamped(to: items.indices)]))
    }
  }

  /// Whether each item of the older version that the newer one has is at the same flat index in both.
  private func keepsPlaces(of newerCount: Int) -> Bool {
    var end = 0
    for run in runs {
      guard run.start < 0 || Int(run.start) == end else { return false }
      end += Int(run.count)
    }
    return end == newerCount
  }

  /// Calls `body` with the flat index in the older version of each run, and its items: where they are in the newer
  /// version, or literals.
  private func forEachRun(_ body: (Int, Range<Int>, ArraySlice<StructureItem>) -> Void) {
    var (place, literal) = (0, 0)
    for run in runs {
      let count = Int(run.count)
      if run.start >= 0 {
        body(place, Int(run.start)..<Int(run.start) + count, [])
      } else {
        body(place, 0..<0, literals[literal..<literal + count])
        literal += count
      }
      place += count
    }
  }

  package var byteCount: Int {
    128 + sections.count * MemoryLayout<Section>.stride + runs.count * MemoryLayout<Run>.stride
      + literals.count * MemoryLayout<StructureItem>.stride
  }

  func forEachID(_ body: (UInt32) -> Void) {
    for section in sections { body(section.uniqueID) }
    for item in literals { body(item.uniqueID) }
  }
}

extension StructurePatch {
  package func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
    writer.number(sections.count)
    for section in sections {
      writer.number(numbers[section.uniqueID])
      writer.hash(section.header)
      writer.number(Int(section.itemCount))
    }
    writer.number(runs.count)
    for run in runs {
      writer.number(Int(run.start) + 1)
      writer.number(Int(run.count))
    }
    writer.number(literals.count)
    for item in literals {
      writer.number(numbers[item.uniqueID])
      writer.hash(item.content)
    }
  }

  /// Decodes a patch from a version with a number of items.
  package init(
    _ reader: inout StoredBytesReader, _ numbers: [UInt32], newerCount: Int
  ) throws(DamagedData) {
    sections = []
    for _ in 0..<(try reader.count()) {
      let id = numbers[try reader.index(below: numbers.count)]
      let header = try reader.hash()
      let count = try reader.index(below: Int(Int32.max))
      sections.append(Section(uniqueID: id, header: header, itemCount: Int32(count)))
    }
    var literalCount = 0
    for _ in 0..<(try reader.count()) {
      let start = try reader.index(below: newerCount + 1) - 1
      let count = try reader.index(below: Int(Int32.max))
      if start >= 0, start + count > newerCount {
        throw DamagedData("\(count) items from \(start) of \(newerCount)")
      }
      if start < 0 { literalCount += count }
      runs.append(Run(start: Int32(start), count: Int32(count)))
    }
    for _ in 0..<(try reader.count()) {
      let id = numbers[try reader.index(below: numbers.count)]
      literals.append(StructureItem(uniqueID: id, content: try reader.hash()))
    }
    guard literals.count == literalCount,
      sections.reduce(0, { $0 + Int($1.itemCount) }) == itemCount
    else { throw DamagedData("a patch that does not add up") }
  }

  /// The number of items in the older version.
  package var itemCount: Int { runs.reduce(0) { $0 + Int($1.count) } }
}
