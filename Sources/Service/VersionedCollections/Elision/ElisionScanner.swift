import SnapshotJSON

/// Finds the runs of known items in a text, in one pass.
///
/// It only skips strings and counts open brackets; whether the text is valid JSON is checked later
/// by the reader, which sees every byte outside known items. Items are expected in the head's
/// order; if many are not, they are looked up by a hash of their bytes.
struct ElisionScanner: ~Copyable {
  private let text: [UInt8]
  private let count: Int
  private let items: Contents.Items
  /// The length of the longest item in bytes, rounded up to a multiple of 64.
  private let longest: Int
  private(set) var found = FoundItems()
  private var position = 0
  /// The number of open arrays and objects, and a bit for each that is set for arrays, the
  /// innermost in the lowest position.
  private var depth = 0
  private var arrays: UInt64 = 0
  /// The depth of items; known once one is found.
  private var itemDepth: Int?
  /// The item expected next.
  private var expected = 0
  /// The number of items tried from there on; it grows with the number of misses.
  private var window = ElisionScanner.windowMin
  private var missCount = 0
  private var missesInARow = 0
  /// The bytes of the text that known items take.
  private var knownBytes = 0
  private var index: ItemIndex?

  private static let windowMin = 4
  private static let windowMax = 64
  /// The most misses before anything is found.
  private static let missesMax = 256
  /// The number of consecutive misses after which the head's order is no longer expected.
  private static let missesInARowMax = 32

  init(text: [UInt8], items: Contents.Items) {
    self.text = text
    count = text.count
    self.items = items
    longest = (0..<items.count).reduce(0) { max($0, items.byteCount($1)) } + 63 & ~63
  }

  /// - Returns: Whether the end was reached and more than half of the text is known.
  mutating func scan() -> Bool {
    while position < count {
      guard position - knownBytes <= count / 2 else { return false }
      switch text[position] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"): guard passItems() || open(isArray: false) else { return false }
      case UInt8(ascii: "["): guard open(isArray: true) else { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): guard close() else { return false }
      default: position += 1
      }
    }
    return depth == 0 && knownBytes > count / 2
  }

  private mutating func open(isArray: Bool) -> Bool {
    guard depth < 64, missCount <= Self.missesMax + found.count else { return false }
    depth += 1
    arrays = arrays << 1 | (isArray ? 1 : 0)
    position += 1
    return true
  }

  private mutating func close() -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    arrays >>= 1
    position += 1
    return true
  }

  /// Moves past a string's closing quote.
  private mutating func skipString() {
    position += 1
    while position < count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, count)
  }

  // MARK: Items

  /// Moves past the known items at the current position; false if there are none.
  private mutating func passItems() -> Bool {
    guard arrays & 1 == 1, itemDepth ?? depth == depth, let first = find() else { return false }
    itemDepth = depth
    missesInARow = 0
    let start = position
    var item = first
    position += items.byteCount(item)
    while position < count, text[position] == UInt8(ascii: ","), isItem(item + 1, at: position + 1)
    {
      item += 1
      position += 1 + items.byteCount(item)
    }
    found.append(first..<item + 1, at: start..<position)
    knownBytes += position - start
    expected = item + 1
    window = Self.windowMin
    return true
  }

  /// Finds the item at the current position, first among those expected.
  private mutating func find() -> Int? {
    let end = min(expected + window, items.count)
    for item in min(expected, end)..<end where isItem(item, at: position) { return item }
    if let item = findElsewhere() { return item }
    missCount += 1
    missesInARow += 1
    window = min(window + 2, Self.windowMax)
    return nil
  }

  /// Finds the item at the current position anywhere in the head.
  private mutating func findElsewhere() -> Int? {
    if index == nil, missesInARow >= Self.missesInARowMax { index = ItemIndex(items) }
    guard let index else { return nil }
    // No known item is longer; this bounds the bytes examined, whatever the text.
    let length = objectLength(
      text.span.extracting(position..<position + min(count - position, longest)))
    guard length > 0 else { return nil }
    return index.find(text.span.extracting(position..<position + length), items)
  }

  /// Whether an item is at an offset; most mismatches are detected by the last byte.
  @inline(__always)
  private func isItem(_ item: Int, at place: Int) -> Bool {
    guard item < items.count else { return false }
    let length = items.byteCount(item)
    guard length > 1, length <= count - place, text[place + length - 1] == UInt8(ascii: "}") else {
      return false
    }
    return items.isItem(item, text.span.extracting(place..<place + length))
  }
}

/// An index of the head's items by their bytes.
///
/// Hashes are seeded, and bytes are compared on a hit.
private struct ItemIndex {
  /// The item plus one, or 0 for an empty slot; at most half of the slots are used.
  private var slots: [UInt32]

  init(_ items: Contents.Items) {
    var slotCount = 16
    while slotCount < 2 * items.count { slotCount *= 2 }
    slots = [UInt32](repeating: 0, count: slotCount)
    for item in 0..<items.count {
      var slot = unsafe firstSlot(items.buffer(item).span)
      while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
      slots[slot] = UInt32(item + 1)
    }
  }

  func find(_ bytes: Span<UInt8>, _ items: Contents.Items) -> Int? {
    var slot = firstSlot(bytes)
    while slots[slot] != 0 {
      let item = Int(slots[slot]) - 1
      if items.isItem(item, bytes) { return item }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func firstSlot(_ bytes: Span<UInt8>) -> Int {
    Int(truncatingIfNeeded: hash64(bytes, seed: IDTable.processSeed)) & (slots.count - 1)
  }
}

/// The items of the head found in a text.
struct FoundItems {
  /// The runs of items as flat indices in the head, in the order of the text.
  private(set) var runs: [Range<Int>] = []
  /// The range of each run in the text.
  private(set) var places: [Range<Int>] = []
  private(set) var count = 0

  mutating func append(_ run: Range<Int>, at place: Range<Int>) {
    runs.append(run)
    places.append(place)
    count += run.count
  }
}
