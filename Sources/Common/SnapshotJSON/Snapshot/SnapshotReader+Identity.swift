extension Snapshot {
  /// The most bytes of `#k`, where `k` is a 32-bit number.
  public static let occurrenceSuffixMax = 11
}

extension SnapshotReader {
  // MARK: Duplicates

  /// Throws if two sections or two items anywhere have the same id.
  func refuseDuplicates(_ out: borrowing ByteOutput) throws(SnapshotError) {
    try refuse(sections.count, "section", out, place: { sectionPlace($0) }) {
      RepeatedIDs.ID(slice: sections[$0].id, hash: sections[$0].idHash)
    }
    try refuse(items.count, "item", out, place: { itemPlace($0) }) {
      RepeatedIDs.ID(slice: items[$0].id, hash: items[$0].idHash)
    }
  }

  private func refuse(
    _ count: Int, _ noun: String, _ out: borrowing ByteOutput, place: (Int) -> String,
    id: (Int) -> RepeatedIDs.ID
  ) throws(SnapshotError) {
    let repeated = repeated(count, out, id)
    guard !repeated.isEmpty else { return }
    var entries: [SnapshotError.Entry] = []
    for first in Set(repeated.map(\.first)).sorted() {
      let text = out.text(id(first).slice.range)
      for element in [first] + repeated.filter({ $0.first == first }).map(\.again) {
        entries.append(
          SnapshotError.Entry(
            pointer: place(element) + options.idPath.description,
            detail: "\(noun) id \"\(text)\""))
      }
    }
    throw SnapshotError(
      code: .duplicateID, entries: Array(entries.prefix(SnapshotError.entriesMax)),
      detail: "each \(noun) id must be unique in the collection")
  }

  /// The elements with repeated ids, each with the first element of that id; at most as many as an
  /// error reports.
  private func repeated(
    _ count: Int, _ out: borrowing ByteOutput, _ id: (Int) -> RepeatedIDs.ID
  ) -> [(first: Int, again: Int)] {
    var table = RepeatedIDs(count: count)
    var found: [(first: Int, again: Int)] = []
    for element in 0..<count {
      guard let first = table.insert(element, in: out, id) else { continue }
      found.append((first, element))
      if found.count >= SnapshotError.entriesMax { break }
    }
    return found
  }

  private func sectionPlace(_ section: Int) -> String { place(layout.list) + "/\(section)" }

  /// The pointer to an item by its index among all items.
  private func itemPlace(_ item: Int) -> String {
    let section = sections.firstIndex { $0.items.contains(item) } ?? 0
    let list = layout.isFlat ? place(layout.list) : sectionPlace(section) + itemsPath.description
    return list + "/\(item - sections[section].items.lowerBound)"
  }

  // MARK: Occurrences

  /// Renames the k-th occurrence of an id to `id#k`, from the second on.
  mutating func nameOccurrences(_ out: inout ByteOutput) throws(SnapshotError) {
    // The ids as sent; names given here do not count as occurrences.
    let sectionIDs = sections.map { RepeatedIDs.ID(slice: $0.id, hash: $0.idHash) }
    for (element, id) in try named(sectionIDs, &out, place: { sectionPlace($0) }) {
      (sections[element].id, sections[element].idHash) = (id.slice, id.hash)
    }
    let itemIDs = items.map { RepeatedIDs.ID(slice: $0.id, hash: $0.idHash) }
    for (element, id) in try named(itemIDs, &out, place: { itemPlace($0) }) {
      (items[element].id, items[element].idHash) = (id.slice, id.hash)
    }
  }

  /// The new ids of elements that repeat an id.
  private func named(
    _ ids: [RepeatedIDs.ID], _ out: inout ByteOutput, place: (Int) -> String
  ) throws(SnapshotError) -> [(element: Int, id: RepeatedIDs.ID)] {
    var table = RepeatedIDs(count: ids.count)
    var counts = [Int](repeating: 1, count: ids.count)
    var named: [(element: Int, id: RepeatedIDs.ID)] = []
    for element in ids.indices {
      guard let first = table.insert(element, in: out, { ids[$0] }) else { continue }
      counts[first] += 1
      let suffix = "#\(counts[first])".utf8
      let byteCount = ids[element].slice.count + suffix.count
      guard byteCount <= limits.idBytesMax else {
        throw SnapshotError(
          .idTooLong, at: place(element) + options.idPath.description,
          "as an occurrence the id is \(byteCount) bytes long; at most \(limits.idBytesMax)",
          limit: limits.idBytesMax)
      }
      let slice = Snapshot.Slice(offset: out.count, count: byteCount)
      out.append(copyOf: ids[element].slice.range)
      for byte in suffix { out.append(byte) }
      named.append((element, RepeatedIDs.ID(slice: slice, hash: hash(slice, out))))
    }
    return named
  }
}
