import DeltaEngine

/// The retained versions of a collection: the head, and older ones as a chain of reverse patches.
package struct History: Sendable {
  private struct Entry {
    var record: VersionRecord
    /// Leads from the next newer version to this one.
    var patch: StructurePatch
  }

  package private(set) var head: VersionRecord
  /// Older versions, ascending by number without gaps.
  private var entries: [Entry] = []
  /// The approximate size of the older versions in bytes.
  private(set) var patchBytes = 0

  package init(head: VersionRecord) { self.head = head }

  /// The number of versions, including the head.
  package var count: Int { entries.count + 1 }

  package var oldest: VersionRecord { entries.first?.record ?? head }

  /// All versions, ascending.
  package var records: [VersionRecord] { entries.map(\.record) + [head] }

  package subscript(seq: Int) -> VersionRecord? {
    if seq == head.seq { return head }
    let index = seq - oldest.seq
    return entries.indices.contains(index) ? entries[index].record : nil
  }

  /// Appends a new head, with what leads back from it to the current head.
  package mutating func append(_ record: VersionRecord, back patch: StructurePatch) {
    entries.append(Entry(record: head, patch: patch))
    patchBytes += patch.byteCount
    head = record
  }

  /// Removes all versions but the head.
  mutating func forgetOlder() {
    entries = []
    patchBytes = 0
  }

  /// Removes the oldest versions that exceed the retention; never the head.
  package mutating func trim(_ retention: Retention, contentBytes: Int, now: Int64) {
    let bytesMax = max(retention.bytesMin, contentBytes)
    // Stored dates are only compared, because adding to them might overflow.
    let (oldest, isBeforeAllTime) = now.subtractingReportingOverflow(retention.seconds)
    var dropped = 0
    while dropped < entries.count {
      let isOver =
        entries.count - dropped + 1 > retention.versionsMax || patchBytes > bytesMax
        || (entries[dropped].record.date < oldest && !isBeforeAllTime)
      guard isOver else { break }
      patchBytes -= entries[dropped].patch.byteCount
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// Returns the sections of a retained version.
  ///
  /// - Parameters:
  ///   - seq: The version's number.
  ///   - head: The head's sections.
  /// - Returns: The version's sections.
  /// - Complexity: O(*n* + *k*), where *n* is the number of items and *k* that of changes in the newer versions,
  ///   and O(*n*) for each of these in which items are inserted, deleted or moved.
  package func sections(of seq: Int, head: [StructureSection]) -> [StructureSection] {
    guard let last = newer(than: seq).last else { return head }
    var items = head.flatItems
    for entry in newer(than: seq) { entry.patch.apply(to: &items) }
    return last.patch.sections(of: items)
  }

  /// What leads back from the head to a version.
  private func newer(than seq: Int) -> some BidirectionalCollection<Entry> {
    entries.reversed().prefix { $0.record.seq >= seq }
  }

  /// Returns the history up to a version; nil if that is not retained.
  func ending(at seq: Int) -> History? {
    guard let record = self[seq] else { return nil }
    var past = History(head: record)
    past.entries = entries.filter { $0.record.seq < seq }
    past.patchBytes = past.entries.reduce(0) { $0 + $1.patch.byteCount }
    return past
  }

  func forEachID(_ body: (UInt32) -> Void) {
    for entry in entries { entry.patch.forEachID(body) }
  }
}

extension History {
  /// Encodes the older versions, newest first.
  package func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
    writer.number(entries.count)
    for entry in entries.reversed() {
      writer.record(entry.record)
      entry.patch.encode(into: &writer, numbers)
      writer.noLists()
    }
  }

  /// Decodes what `encode` wrote, with the ID table's number for each stored ID; versions must be consecutive.
  package init(
    head: VersionRecord, _ reader: inout StoredBytesReader, _ numbers: [UInt32],
    newest: [StructureSection]
  ) throws(DamagedData) {
    self.head = head
    var newerCount = newest.itemCount
    var newerSeq = head.seq
    var entries: [Entry] = []
    for _ in 0..<(try reader.count()) {
      let record = try reader.record()
      guard record.seq == newerSeq - 1 else {
        throw DamagedData("version \(record.seq) before \(newerSeq)")
      }
      let patch = try StructurePatch(&reader, numbers, newerCount: newerCount)
      try reader.noLists()
      entries.append(Entry(record: record, patch: patch))
      newerSeq = record.seq
      newerCount = patch.itemCount
    }
    self.entries = entries.reversed()
    patchBytes = entries.reduce(0) { $0 + $1.patch.byteCount }
  }
}
