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

  /// What leads from a newer structure back to an older one.
  ///
  /// - Complexity: O(n), with a table of the newer version's items when their order differs.
  init(to older: [StructureSection], from newer: [StructureSection]) {
    sections = older.map {
      Section(uniqueID: $0.uniqueID, header: $0.header, itemCount: Int32($0.items.count))
    }
    let base = newer.flatItems
    var places: [Int32]?
    var expected = 0
    for section in older {
      for item in section.items {
        if expected < base.count, base[expected] == item {
          appendCopy(of: Int32(expected))
          expected += 1
          continue
        }
        if places == nil { places = base.places }
        if let place = places?.place(of: item.uniqueID), base[Int(place)] == item {
          appendCopy(of: place)
          expected = Int(place) + 1
        } else {
          appendLiteral(item)
        }
      }
    }
    runs = Array(runs)
  }

  /// The older structure.
  func apply(to newer: [StructureSection]) -> [StructureSection] {
    let base = newer.flatItems
    var items: [StructureItem] = []
    var literal = 0
    for run in runs {
      if run.start >= 0 {
        items.append(contentsOf: base[Int(run.start)..<Int(run.start + run.count)])
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
        uniqueID: section.uniqueID, header: section.header, items: Array(items[first..<end]))
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

  private mutating func appendCopy(of place: Int32) {
    if let last = runs.last, last.start >= 0, last.start + last.count == place {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(start: place, count: 1))
    }
  }

  private mutating func appendLiteral(_ item: StructureItem) {
    literals.append(item)
    if let last = runs.last, last.start < 0 {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(start: -1, count: 1))
    }
  }
}

extension [StructureSection] {
  fileprivate var flatItems: [StructureItem] {
    if count == 1 { return self[0].items }
    return flatMap(\.items)
  }
}

extension [StructureItem] {
  /// For each id's number, the index of the item, or -1: numbers are small, so a list will do.
  fileprivate var places: [Int32] {
    var places = [Int32](
      repeating: -1, count: Int(self.max { $0.uniqueID < $1.uniqueID }?.uniqueID ?? 0) + 1)
    for (index, item) in enumerated() { places[Int(item.uniqueID)] = Int32(index) }
    return places
  }
}

extension [Int32] {
  fileprivate func place(of id: UInt32) -> Int32? {
    guard Int(id) < count, self[Int(id)] >= 0 else { return nil }
    return self[Int(id)]
  }
}
