/// A longest increasing subsequence of distinct keys by patience sorting (Schensted 1961; Fredman
/// 1975 for the bound on comparisons), used if hardly anything is aligned.
///
/// A key is put on the first pile whose top is not less than it, or on a new one; tops ascend. A
/// search descends through rows: every 4096th top, every 256th, every 16th, all of them. In each
/// row the entries of one block that are less than the key are counted, 16 at once and without a
/// branch, since the positions of keys in a shuffled list are unpredictable.
///
/// Eight keys are searched for before the first of them is put, because a search that reads a
/// recent store has to wait for it. As tops only decrease, the result is a lower bound of the key's
/// pile, and nearly always the pile itself.
///
/// Invariant: entry e of row r is the top of pile `(e + 1) · 16ʳ - 1`; entries of nonexistent piles
/// are `Int32.max`, up to the end of the last block in use.
///
/// - Complexity: O(*k* log₁₆ *p*) for *k* keys on *p* piles.
struct Piles {
  private let entries: ScratchBuffer<Int32>
  /// Where each row starts in `entries`.
  private let starts: ScratchBuffer<Int>
  /// For each key, the top of the preceding pile when it was put; -1 for the first pile.
  private let links: ScratchBuffer<Int32>
  /// Keys waiting to be put, and the piles found for them.
  private let waiting: ScratchBuffer<Int32>
  private let places: ScratchBuffer<Int32>
  private var waitingCount = 0
  private var count = 0
  private var lastPile = 0
  /// The number of rows that a search passes through; the highest consists of one block.
  private var depth = 1

  private static let rowCount = 8
  private static let waitingMax = 8
  /// Where the lowest row starts; it is preceded by -1, the top before the first pile.
  private var tops: Int { 16 }

  /// Creates piles for keys below `keyCount`.
  init(keyCount: Int, in arena: inout Arena) {
    links = arena.allocate(keyCount)
    starts = arena.allocate(Self.rowCount)
    waiting = arena.allocate(Self.waitingMax)
    places = arena.allocate(Self.waitingMax)
    entries = arena.allocate(Self.entryCount(keyCount))
    entries[tops - 1] = -1
    var start = tops
    for row in 0..<Self.rowCount {
      starts[row] = start
      openBlock(at: start)
      start += Self.blockCount(keyCount, row) * 16
    }
  }

  private static func entryCount(_ keyCount: Int) -> Int {
    (0..<rowCount).reduce(16) { $0 + blockCount(keyCount, $1) * 16 }
  }

  private static func blockCount(_ keyCount: Int, _ row: Int) -> Int {
    keyCount >> (4 * row + 4) + 1
  }

  /// Puts the next key, possibly together with following ones.
  @inline(__always) mutating func put(_ key: Int) {
    waiting[waitingCount] = Int32(truncatingIfNeeded: key)
    waitingCount &+= 1
    if waitingCount == Self.waitingMax { putWaiting() }
  }

  private mutating func putWaiting() {
    defer { waitingCount = 0 }
    for number in 0..<waitingCount {
      places[number] = Int32(truncatingIfNeeded: pile(for: waiting[number]))
    }
    for number in 0..<waitingCount { put(waiting[number], from: Int(places[number])) }
  }

  /// Puts a key on the first pile, from `start` on, whose top is not less than it.
  @inline(__always) private mutating func put(_ key: Int32, from start: Int) {
    // In an ascending run each key goes on the pile after the preceding key's.
    let isBehind = bit(entries[tops &+ lastPile] < key)
    var pile = max(start, Int(isBehind) &* (lastPile &+ 1))
    while entries[tops &+ pile] < key { pile &+= 1 }
    links[Int(key)] = entries[tops &+ pile &- 1]
    entries[tops &+ pile] = key
    if pile & 15 == 15 { raise(pile, key) }
    if pile == count { grow() }
    lastPile = pile
  }

  /// Returns the first pile whose top is not less than a value.
  @inline(__always) private func pile(for value: Int32) -> Int {
    var pile = 0
    var row = depth
    while row > 0 {
      row &-= 1
      pile = pile &<< 4 &+ entriesBelow(value, inBlockAt: starts[row] &+ pile &<< 4)
    }
    return pile
  }

  /// Returns how many entries of a block are less than a value.
  ///
  /// As no entry is negative, the sign of the difference tells.
  @inline(__always) private func entriesBelow(_ value: Int32, inBlockAt start: Int) -> Int {
    let block = entries.block(at: start)
    let signs = (block &- SIMD16(repeating: value)) &>> 31
    return Int(0 &- signs.wrappedSum())
  }

  /// Updates the rows above with a new top of the last pile in a block.
  private func raise(_ pile: Int, _ value: Int32) {
    var entry = pile
    for row in 1..<Self.rowCount {
      entry >>= 4
      entries[starts[row] + entry] = value
      if entry & 15 != 15 { return }
    }
  }

  /// Counts a new pile, and opens the blocks that the next one needs.
  private mutating func grow() {
    count += 1
    if count & 15 != 0 { return }
    var entry = count
    for row in 0..<Self.rowCount where entry & 15 == 0 {
      openBlock(at: starts[row] + entry)
      if entry == 16 { depth = max(depth, row + 2) }
      entry >>= 4
    }
  }

  private func openBlock(at start: Int) {
    for entry in start..<start + 16 { entries[entry] = .max }
  }

  /// Inserts the keys of the subsequence into a set.
  mutating func collect(into stays: Bits) {
    putWaiting()
    var key = count == 0 ? -1 : Int(entries[tops + count - 1])
    while key >= 0 {
      stays.insert(key)
      key = Int(links[key])
    }
  }
}
