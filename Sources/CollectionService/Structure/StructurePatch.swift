import DeltaEngine

/// How to get an older version's structure from the next newer one's.
///
/// Runs of items that the newer version has in the same order are named by index, the others are
/// kept. A version that differs by ten edits costs some hundred bytes however long the list is.
struct StructurePatch: Sendable {
  private struct Section {
    var uniqueID: UInt32
    var header: ContentHash
    var itemCount: Int32
  }

  /// Items taken from the newer version (`start` ≥ 0, flat index) or the next of `literals`.
  private struct Run {
    var start: Int32
    var count: Int32
  }

  private var sections: [Section]
  private var runs: [Run] = []
  private var literals: [StructureItem] = []

  /// What leads back from a version to the one before it.
  ///
  /// - Parameters:
  ///   - older: The version before.
  ///   - comparison: What the two have in common, the older one being the source.
  init(to older: [StructureSection], _ comparison: VersionComparison) {
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

  /// The older structure.
  func apply(to newer: [StructureSection]) -> [StructureSection] {
    let base = newer.flatItems
    var items: [StructureItem] = []
    var literal = 0
    for run in runs {
      if run.start >= 0 {
        let range = Int(run.start)..<Int(run.start) + Int(run.count)
        items.append(contentsOf: base[range.clamped(to: base.indices)])
      } else {
        items.append(contentsOf: literals[literal..<literal + Int(run.count)])
        literal += Int(run.count)
      }
    }
    var first = 0
    return sections.map { section in
      let end = first + Int(section.itemCount)
      defer { first = end }
      return StructureSection(
        uniqueID: section.uniqueID, header: section.header,
        items: Array(items[(first..<end).clamped(to: items.indices)]))
    }
  }

  /// About how much memory it takes.
  var byteCount: Int {
    128 + sections.count * MemoryLayout<Section>.stride + runs.count * MemoryLayout<Run>.stride
      + literals.count * MemoryLayout<StructureItem>.stride
  }

  /// Calls for every id that the patch itself keeps.
  func forEachID(_ body: (UInt32) -> Void) {
    for section in sections { body(section.uniqueID) }
    for item in literals { body(item.uniqueID) }
  }
}

extension StructurePatch {
  /// Writes the patch, ids by other numbers.
  func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
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

  /// Reads a patch.
  ///
  /// - Parameters:
  ///   - reader: Has it.
  ///   - numbers: The table's number of each id.
  ///   - newerCount: The number of items of the version that it starts from; nil when it is not
  ///     known, so that what is taken from there is as much as is there.
  /// - Throws: `DamagedData` for one that could not be applied.
  init(
    _ reader: inout StoredBytesReader, _ numbers: [UInt32], newerCount: Int?
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
      let start = try reader.index(below: (newerCount ?? Int(Int32.max) - 1) + 1) - 1
      let count = try reader.index(below: Int(Int32.max))
      if let newerCount, start >= 0, start + count > newerCount {
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

  /// The number of sections of the older version.
  var sectionCount: Int { sections.count }

  /// Calls for every item's id that the patch itself keeps.
  func forEachItemID(_ body: (UInt32) -> Void) {
    for item in literals { body(item.uniqueID) }
  }

  /// The number of items of the older version.
  var itemCount: Int { runs.reduce(0) { $0 + Int($1.count) } }
}

extension [StructureSection] {
  /// The items of all sections.
  var flatItems: [StructureItem] {
    if count == 1 { return self[0].items }
    return flatMap(\.items)
  }
}
