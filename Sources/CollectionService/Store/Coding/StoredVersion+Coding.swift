import DeltaEngine

/// The first byte of stored bytes: what they are, and in which format.
enum StoredKind {
  static let image: UInt8 = 0x11
  static let change: UInt8 = 0x21
  static let forced: UInt8 = 0x31
  static let request: UInt8 = 0x41
}

extension StoredVersion {
  /// The version as what differs from the one before: as many bytes as changed, whatever the size
  /// of the collection.
  ///
  /// Items and sections whose id, hash and bytes are those of the version before are named by
  /// their place there, in runs; the others are written whole.
  ///
  /// - Returns: The bytes; nil for a first version, which is stored as an image.
  /// - Complexity: O(n), with a table of the items before when their order differs.
  public func encodedChange() -> [UInt8]? {
    guard let previous else { return nil }
    let runs = ChangeRuns(from: previous, to: self)
    // A large change that grew by doubling would take three times its size for a moment.
    let byteCount = runs.literals.reduce(256 + 16 * runs.runs.count) {
      $0 + ids.text($1.item.uniqueID).count + contents.item(at: $1.flat).count + 24
    }
    var writer = StoredBytesWriter(kind: StoredKind.change, capacity: byteCount)
    writer.record(record)
    write(meta: previous, &writer)
    write(sections: previous, &writer)
    writer.number(runs.runs.count)
    for run in runs.runs {
      writer.number(run.start + 1)
      writer.number(run.count)
    }
    for (flat, item) in runs.literals {
      writer.text(ids.text(item.uniqueID))
      writer.hash(item.content)
      writer.text(contents.item(at: flat))
    }
    let nestedBack = NestedPatch(to: previous.nested, from: nested)
    var numbers = DenseNumbers()
    nestedBack.forEachItemID { numbers.add($0) }
    writer.number(numbers.ids.count)
    for id in numbers.ids { writer.text(ids.text(id)) }
    nestedBack.encode(into: &writer, numbers)
    return writer.finish()
  }

  private func write(meta previous: Previous, _ writer: inout StoredBytesWriter) {
    let isSame = contents.meta == previous.contents.meta
    writer.number(contents.meta == nil ? 0 : isSame ? 1 : 2)
    if let meta = contents.meta, !isSame { writer.text(meta) }
  }

  private func write(sections previous: Previous, _ writer: inout StoredBytesWriter) {
    var places: [UInt32: Int] = [:]
    for (index, section) in previous.sections.enumerated() { places[section.uniqueID] = index }
    writer.number(sections.count)
    for (index, section) in sections.enumerated() {
      if let place = places[section.uniqueID], previous.sections[place].header == section.header,
        contents.hasSameHeader(index, as: previous.contents, place)
      {
        writer.number(place + 1)
      } else {
        writer.number(0)
        writer.text(ids.text(section.uniqueID))
        writer.hash(section.header)
        writer.text(contents.header(ofSection: index))
      }
      writer.number(section.items.count)
    }
  }
}

/// Which items of a version are those of the version before, by flat index.
private struct ChangeRuns {
  /// Items from `start` on, or, when that is -1, of the literals.
  struct Run {
    var start: Int
    var count: Int
  }

  private(set) var runs: [Run] = []
  private(set) var literals: [(flat: Int, item: StructureItem)] = []

  init(from previous: StoredVersion.Previous, to version: StoredVersion) {
    let base = previous.sections.flatItems
    var places: ItemPlaces?
    var expected = 0
    var flat = 0
    for section in version.sections {
      for item in section.items {
        defer { flat += 1 }
        var place = expected
        if !(place < base.count && base[place] == item) {
          if places == nil { places = ItemPlaces(base) }
          place = places?.place(of: item.uniqueID).map(Int.init) ?? base.count
        }
        if place < base.count, base[place] == item,
          version.contents.hasSameItem(flat, as: previous.contents, place)
        {
          append(place)
        } else {
          append(-1)
          literals.append((flat, item))
        }
        if place < base.count { expected = place + 1 }
      }
    }
  }

  private mutating func append(_ place: Int) {
    guard let last = runs.last, place < 0 ? last.start < 0 : last.start + last.count == place,
      place < 0 || last.start >= 0
    else { return runs.append(Run(start: place, count: 1)) }
    runs[runs.count - 1].count += 1
  }
}
