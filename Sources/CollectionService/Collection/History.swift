import DeltaEngine

/// What is kept of a version beside its structure.
struct VersionRecord: Sendable {
  var seq: Int
  var digest: ContentDigest
  /// The hash of `meta`; nil without one.
  var meta: ContentHash?
  /// When it was committed, in seconds since 1970.
  var date: Int64
}

/// The versions of a collection that a reader may still come from: the head, and older ones as
/// patches that lead back from one to the one before it.
struct History: Sendable {
  private struct Entry {
    var record: VersionRecord
    /// Leads here from the next newer version.
    var patch: StructurePatch
    /// Likewise, to the lists inside items.
    var nested: NestedPatch

    var byteCount: Int { patch.byteCount + nested.byteCount }
  }

  /// The newest version.
  private(set) var head: VersionRecord
  /// Older versions, ascending by number without gaps.
  private var entries: [Entry] = []
  /// About how much memory the older versions take.
  private(set) var patchBytes = 0

  /// The history of a collection that has one version.
  init(head: VersionRecord) { self.head = head }

  /// The number of versions, with the head.
  var count: Int { entries.count + 1 }

  /// The oldest version that is kept.
  var oldest: VersionRecord { entries.first?.record ?? head }

  /// All versions, ascending.
  var records: [VersionRecord] { entries.map(\.record) + [head] }

  /// A version that is kept, by its number.
  subscript(seq: Int) -> VersionRecord? {
    if seq == head.seq { return head }
    let index = seq - oldest.seq
    return entries.indices.contains(index) ? entries[index].record : nil
  }

  /// Makes a version the newest.
  ///
  /// - Parameters:
  ///   - record: The version.
  ///   - patch: What leads from its structure back to the one that was the newest.
  ///   - nested: Likewise, for the lists inside items.
  mutating func append(
    _ record: VersionRecord, back patch: StructurePatch, nested: NestedPatch
  ) {
    let entry = Entry(record: head, patch: patch, nested: nested)
    entries.append(entry)
    patchBytes += entry.byteCount
    head = record
  }

  /// Forgets all versions but the head.
  mutating func forgetOlder() {
    entries = []
    patchBytes = 0
  }

  /// Forgets the oldest versions beyond what is to be kept; the head always stays.
  mutating func trim(_ retention: Retention, contentBytes: Int, now: Int64) {
    let bytesMax = max(retention.bytesMin, contentBytes)
    // Dates come from a store and are only compared: their sums might not fit.
    let (oldest, isBeforeAllTime) = now.subtractingReportingOverflow(retention.seconds)
    var dropped = 0
    while dropped < entries.count {
      let isOver =
        entries.count - dropped + 1 > retention.versionsMax || patchBytes > bytesMax
        || (entries[dropped].record.date < oldest && !isBeforeAllTime)
      guard isOver else { break }
      patchBytes -= entries[dropped].byteCount
      dropped += 1
    }
    entries.removeFirst(dropped)
  }

  /// The structure of a version that is kept.
  ///
  /// - Parameters:
  ///   - seq: The version's number.
  ///   - head: The head's structure.
  /// - Returns: The version's structure.
  /// - Complexity: O(n) for each version between it and the head.
  func structure(of seq: Int, head: NestedStructure) -> NestedStructure {
    var structure = head
    for entry in entries.reversed() {
      if entry.record.seq < seq { break }
      structure.sections = entry.patch.apply(to: structure.sections)
      structure.lists = entry.nested.apply(to: structure.lists)
    }
    return structure
  }

  /// The sections of a version that is kept, without the lists inside items.
  ///
  /// - Parameters:
  ///   - seq: The version's number.
  ///   - head: The head's sections.
  /// - Returns: The version's sections.
  func sections(of seq: Int, head: [StructureSection]) -> [StructureSection] {
    entries.reversed().prefix { $0.record.seq >= seq }.reduce(head) { $1.patch.apply(to: $0) }
  }

  /// The versions up to one of them; nil when it is not kept.
  func ending(at seq: Int) -> History? {
    guard let record = self[seq] else { return nil }
    var past = History(head: record)
    past.entries = entries.filter { $0.record.seq < seq }
    past.patchBytes = past.entries.reduce(0) { $0 + $1.byteCount }
    return past
  }

  /// Calls for every id that the older versions themselves keep.
  func forEachID(_ body: (UInt32) -> Void) {
    for entry in entries {
      entry.patch.forEachID(body)
      entry.nested.forEachID(body)
    }
  }
}

extension History {
  /// Writes the older versions, newest first.
  func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
    writer.number(entries.count)
    for entry in entries.reversed() {
      writer.record(entry.record)
      entry.patch.encode(into: &writer, numbers)
      entry.nested.encode(into: &writer, numbers)
    }
  }

  /// Calls for every id that must be stored with the older versions.
  func forEachItemID(_ body: (UInt32) -> Void) {
    for entry in entries {
      entry.patch.forEachID(body)
      entry.nested.forEachItemID(body)
    }
  }

  /// Reads what `encode` wrote.
  ///
  /// - Parameters:
  ///   - head: The newest version.
  ///   - reader: Has the older ones.
  ///   - numbers: The table's number of each id.
  ///   - newest: The structure of the newest version.
  /// - Throws: `DamagedData` for versions that do not follow each other.
  init(
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
      let nested = try NestedPatch(&reader, numbers)
      entries.append(Entry(record: record, patch: patch, nested: nested))
      newerSeq = record.seq
      newerCount = patch.itemCount
    }
    self.entries = entries.reversed()
    patchBytes = entries.reduce(0) { $0 + $1.byteCount }
  }
}

/// How much history a collection keeps: what passes any of the bounds goes, oldest first.
public struct Retention: Hashable, Sendable {
  /// The most versions, with the head.
  public var versionsMax = 64
  /// The greatest age, in seconds.
  public var seconds: Int64 = 7 * 86_400
  /// The most bytes of older versions; the size of one snapshot if that is more.
  public var bytesMin = 1 << 20

  /// What `docs/protocol.md` gives as default.
  public init() {}
}
