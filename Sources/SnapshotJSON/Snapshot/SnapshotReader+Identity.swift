extension Snapshot {
  /// The most bytes of `#k`: `k` is a count of 32 bits.
  public static let occurrenceSuffixMax = 11
}

extension SnapshotReader {
  // MARK: Duplicates

  /// Refuses two sections, or two items anywhere, with one id.
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
            pointer: pointer + place(element) + idPath.text, detail: "\(noun) id \"\(text)\""))
      }
    }
    throw SnapshotError(
      code: .duplicateID, entries: Array(entries.prefix(SnapshotError.entriesMax)),
      detail: "each \(noun) id must be unique in the collection")
  }

  /// The elements whose id an earlier one has, each with the first that has it; at most as many
  /// as an error reports.
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

  /// The pointer to an item by its index among all.
  private func itemPlace(_ item: Int) -> String {
    let section = sections.firstIndex { $0.items.contains(item) } ?? 0
    return itemPlace(section: section, item: item - sections[section].items.lowerBound)
  }

  // MARK: Occurrences

  /// Gives the k-th occurrence of an id the id `id#k`, from the second on.
  ///
  /// - Throws: `idTooLong`.
  mutating func nameOccurrences(_ out: inout ByteOutput) throws(SnapshotError) {
    var table = RepeatedIDs(count: sections.count)
    var counts = [Int](repeating: 1, count: sections.count)
    // The ids as they were sent: a name given here is no occurrence of anything.
    let sent = sections.map { RepeatedIDs.ID(slice: $0.id, hash: $0.idHash) }
    for element in sent.indices {
      guard let first = table.insert(element, in: out, { sent[$0] }) else { continue }
      counts[first] += 1
      guard fits(sent[element].slice, counts[first]) else {
        throw tooLong(sent[element].slice, counts[first], at: sectionPlace(element))
      }
      let id = occurrence(sent[element].slice, counts[first], &out)
      sections[element].id = id
      sections[element].idHash = hash(id, out)
    }
    try nameItemOccurrences(&out)
  }

  private mutating func nameItemOccurrences(_ out: inout ByteOutput) throws(SnapshotError) {
    var table = RepeatedIDs(count: items.count)
    var counts = [Int](repeating: 1, count: items.count)
    let sent = items.map { RepeatedIDs.ID(slice: $0.id, hash: $0.idHash) }
    for element in sent.indices {
      guard let first = table.insert(element, in: out, { sent[$0] }) else { continue }
      counts[first] += 1
      guard fits(sent[element].slice, counts[first]) else {
        throw tooLong(sent[element].slice, counts[first], at: itemPlace(element))
      }
      let id = occurrence(sent[element].slice, counts[first], &out)
      items[element].id = id
      items[element].idHash = hash(id, out)
    }
  }

  /// Whether an occurrence's id is as short as an id must be.
  private func fits(_ id: Snapshot.Slice, _ count: Int) -> Bool {
    id.count + "#\(count)".utf8.count <= limits.idBytesMax
  }

  private func tooLong(_ id: Snapshot.Slice, _ count: Int, at place: String) -> SnapshotError {
    let byteCount = id.count + "#\(count)".utf8.count
    return SnapshotError(
      .idTooLong, at: pointer + place + idPath.text,
      "as an occurrence the id is \(byteCount) bytes long; at most \(limits.idBytesMax)",
      limit: limits.idBytesMax)
  }

  private mutating func occurrence(
    _ id: Snapshot.Slice, _ count: Int, _ out: inout ByteOutput
  ) -> Snapshot.Slice {
    let start = out.count
    out.append(copyOf: id.range)
    for byte in "#\(count)".utf8 { out.append(byte) }
    return Snapshot.Slice(offset: start, count: out.count - start)
  }
}
