import SnapshotJSON

/// A table that interns the ids of a collection as numbers.
///
/// It uses open addressing and one buffer of texts, without an allocation per id. Numbers are
/// stable until `reclaim` frees those that no retained version uses.
public struct IDTable: Sendable {
  private var texts: [UInt8] = []
  /// Indexed by number; `count` is `UInt32.max` for a free number.
  private var entries: [TextPlace] = []
  private var free: [UInt32] = []
  /// The number plus one, or 0 for an empty slot; at most half of the slots are used.
  private var slots: [UInt32] = []
  /// The hash is seeded, so that clients cannot choose ids that collide.
  package let seed: UInt64
  /// The number of ids in use when last determined.
  private var countInUse = 0
  /// Whether any id may be the name of an occurrence.
  private(set) var hasOccurrenceNames = false

  /// A secret seed, chosen once per process.
  package static let processSeed = SnapshotOptions.processSeed

  /// Creates an empty table.
  public init(seed: UInt64) { self.seed = seed }

  /// The number of interned ids.
  public var count: Int { entries.count - free.count }

  /// Returns the text of an id as UTF-8.
  public func text(_ id: UInt32) -> ArraySlice<UInt8> {
    let entry = entries[Int(id)]
    return texts[Int(entry.offset)..<Int(entry.offset) + Int(entry.count)]
  }

  /// The hash of an id in digests; it is the same in every process.
  func digestHash(_ id: UInt32) -> UInt64 { hash64(text(id), seed: 0) }

  /// Writes the digest hashes of items' ids, 64 bits every 24 bytes, which `hashes` has room for.
  func writeDigestHashes(
    of items: [StructureItem], _ range: Range<Int>, into hashes: UnsafeMutableRawPointer
  ) {
    // The number is the first member of an item. All numbers in use are in the table.
    unsafe items[range].withUnsafeBytes { bytes in
      guard let numbers = bytes.baseAddress else { return }
      unsafe hash64(
        texts: texts, entries, numbers: numbers, stride: MemoryLayout<StructureItem>.stride,
        count: range.count, into: hashes)
    }
  }

  /// Reserves space for a total number of ids.
  package mutating func reserve(_ idCount: Int) {
    var slotCount = max(16, slots.count)
    while slotCount < 2 * idCount { slotCount *= 2 }
    guard slotCount > slots.count else { return }
    rehash(slotCount: slotCount)
    entries.reserveCapacity(idCount)
  }

  /// Returns the number of an id, assigning one if needed.
  public mutating func intern(_ text: ArraySlice<UInt8>) -> UInt32 {
    intern(text.span, hash: hash64(text, seed: seed))
  }

  /// Returns the number of an id whose hash with the table's seed is known, assigning one if needed.
  mutating func intern(_ text: Span<UInt8>, hash: UInt64) -> UInt32 {
    if (count + 1) * 2 > slots.count { rehash(slotCount: max(16, slots.count * 2)) }
    let slot = slot(of: text, hash: hash)
    if slots[slot] != 0 { return slots[slot] - 1 }
    let id = add(text)
    slots[slot] = id + 1
    return id
  }

  /// Returns the number of an id; nil if it has none.
  public func find(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    let slot = slot(of: text.span, hash: hash64(text, seed: seed))
    return slots[slot] == 0 ? nil : slots[slot] - 1
  }

  /// Returns the number of the name of an id's k-th occurrence; nil if it has none.
  func find(occurrence number: Int, of id: UInt32) -> UInt32? {
    number == 1 ? id : find((text(id) + Array("#\(number)".utf8))[...])
  }

  /// The slot of an id, or the empty slot where it belongs.
  private func slot(of text: Span<UInt8>, hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0, !isText(slots[slot] - 1, text) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  func isText(_ id: UInt32, _ text: Span<UInt8>) -> Bool {
    let entry = entries[Int(id)]
    guard Int(entry.count) == text.count else { return false }
    let offset = Int(entry.offset)
    return texts.span.extracting(offset..<offset + text.count).hasSameBytes(as: text)
  }

  /// Records that all ids are in use.
  mutating func noteAllInUse() { countInUse = count }

  /// Whether more than half of the ids may be unused.
  var isWorthReclaiming: Bool { count > 2 * countInUse + 64 }

  /// The memory that it takes in bytes, with the room that its arrays have to grow.
  package var capacityBytes: Int {
    texts.capacity + 8 * entries.capacity + 4 * (slots.capacity + free.capacity)
  }

  /// Frees numbers that no retained version uses, and compacts the texts of the others.
  mutating func reclaim(keeping isLive: (UInt32) -> Bool) {
    var packed: [UInt8] = []
    packed.reserveCapacity(texts.count / 2)
    free.removeAll()
    hasOccurrenceNames = false
    for id in entries.indices {
      guard entries[id].count != .max, isLive(UInt32(id)) else {
        entries[id].count = .max
        free.append(UInt32(id))
        continue
      }
      let offset = UInt32(packed.count)
      note(text(UInt32(id)).span)
      packed.append(contentsOf: text(UInt32(id)))
      entries[id].offset = offset
    }
    texts = packed
    var slotCount = 16
    while count * 2 >= slotCount { slotCount *= 2 }
    rehash(slotCount: slotCount)
    noteAllInUse()
  }

  private mutating func note(_ text: Span<UInt8>) {
    hasOccurrenceNames = hasOccurrenceNames || OccurrenceName(text) != nil
  }

  private mutating func add(_ text: Span<UInt8>) -> UInt32 {
    note(text)
    let entry = TextPlace(offset: UInt32(texts.count), count: UInt32(text.count))
    unsafe text.withUnsafeBufferPointer { unsafe texts.append(contentsOf: $0) }
    if let id = free.popLast() {
      entries[Int(id)] = entry
      return id
    }
    entries.append(entry)
    return UInt32(entries.count - 1)
  }

  private mutating func rehash(slotCount: Int) {
    slots = [UInt32](repeating: 0, count: slotCount)
    for id in entries.indices where entries[id].count != .max {
      var slot = Int(truncatingIfNeeded: hash64(text(UInt32(id)), seed: seed)) & (slotCount - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(id) + 1
    }
  }
}

extension Span<UInt8> {
  fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}
