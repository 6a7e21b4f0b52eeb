import Glibc
import SnapshotJSON

/// Finds the runs of known items in a text, in one pass.
///
/// It only skips strings and counts open brackets: whether the text is JSON is for its reader to
/// say, who gets every byte that is not of a known item. An item is looked for where it most likely
/// is, in the order of the head; once many are elsewhere, by a hash of its bytes.
struct ElisionScanner: ~Copyable {
  private let text: UnsafePointer<UInt8>
  private let count: Int
  private let items: Contents.Items
  private let itemBytesMax: Int
  /// The bytes of the longest item.
  private let longest: Int
  private(set) var found = FoundItems()
  private var position = 0
  /// How many arrays and objects are open, and which of them are arrays: one bit each, the
  /// innermost the lowest.
  private var depth = 0
  private var arrays: UInt64 = 0
  /// How many arrays and objects an item is in; known once one is found.
  private var itemDepth: Int?
  /// The item that most likely comes next.
  private var expected = 0
  /// How many items from there on are tried: more, the more did not fit.
  private var window = ElisionScanner.windowMin
  private var missCount = 0
  private var missesInARow = 0
  /// How many bytes of the text the known items take.
  private var knownBytes = 0
  private var spelling = ItemSpelling()
  /// Where the object is that `spelling` has, and how many bytes it has.
  private var object = (place: -1, byteCount: 0)
  private var index: ItemIndex?

  private static let windowMin = 4
  private static let windowMax = 64
  /// How many items in a row may be new before anything is found.
  private static let missesMax = 256
  /// So many new items in a row, and the others are no longer expected in the head's order.
  private static let missesInARowMax = 32

  init(text: UnsafePointer<UInt8>, count: Int, items: Contents.Items, itemBytesMax: Int) {
    self.text = text
    self.count = count
    self.items = items
    self.itemBytesMax = itemBytesMax
    longest = (0..<items.count).reduce(0) { max($0, items.byteCount($1)) }
  }

  /// - Returns: Whether it went to the end, more than half of the text being known.
  mutating func scan() -> Bool {
    while position < count {
      guard position - knownBytes <= count / 2 else { return false }
      switch text[position] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "{"): guard takeItems() || open(isArray: false) else { return false }
      case UInt8(ascii: "["): guard open(isArray: true) else { return false }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): guard close() else { return false }
      default: position += 1
      }
    }
    return depth == 0 && knownBytes > count / 2
  }

  private mutating func open(isArray: Bool) -> Bool {
    guard depth < 64, missCount <= Self.missesMax + found.byteCounts.count else { return false }
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

  /// Moves behind a string's closing quote.
  private mutating func skipString() {
    position += 1
    while position < count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, count)
  }

  // MARK: Items

  /// An item that the text has at some place, in so many bytes.
  private struct Match {
    var item: Int
    var byteCount: Int
    var isRespelled = false
  }

  /// Moves behind the known items that begin here, if any do.
  private mutating func takeItems() -> Bool {
    guard arrays & 1 == 1, itemDepth ?? depth == depth, let first = find() else { return false }
    itemDepth = depth
    missesInARow = 0
    let start = position
    var match = first
    take(match)
    while position < count, text[position] == UInt8(ascii: ","),
      let next = self.match(match.item + 1, at: position + 1)
    {
      position += 1
      match = next
      take(match)
    }
    found.runs.append(first.item..<match.item + 1)
    found.places.append(start..<position)
    knownBytes += position - start
    expected = match.item + 1
    window = Self.windowMin
    return true
  }

  private mutating func take(_ match: Match) {
    position += match.byteCount
    found.byteCounts.append(UInt32(match.byteCount))
    if match.isRespelled { found.hasRespelled = true }
  }

  /// The item that begins here, among those that may.
  private mutating func find() -> Match? {
    let end = min(expected + window, items.count)
    for item in min(expected, end)..<end where isItem(item, at: position) {
      return Match(item: item, byteCount: items.byteCount(item))
    }
    for item in min(expected, end)..<min(expected + Self.windowMin, end) {
      if let match = respelled(item, at: position) { return match }
    }
    if let match = findElsewhere() { return match }
    missCount += 1
    missesInARow += 1
    window = min(window + 2, Self.windowMax)
    return nil
  }

  /// The item that begins here, wherever the head has it.
  private mutating func findElsewhere() -> Match? {
    if index == nil, missesInARow >= Self.missesInARowMax { index = ItemIndex(items) }
    guard let index else { return nil }
    let bytes = UnsafeBufferPointer(start: text + position, count: takeObject(at: position))
    guard !bytes.isEmpty, let item = index.find(bytes.span, items) else { return nil }
    return Match(item: item, byteCount: bytes.count)
  }

  /// How many bytes the object has that begins at an offset; 0 when that is not known.
  private mutating func takeObject(at place: Int) -> Int {
    if object.place != place {
      // No known item has more bytes: so much is looked at and no more, whatever the text is.
      let rest = UnsafeBufferPointer(start: text + place, count: min(count - place, longest))
      object = (place, spelling.take(rest.span))
    }
    return object.byteCount
  }

  /// The item, if it is what the text has at an offset.
  private mutating func match(_ item: Int, at place: Int) -> Match? {
    guard item < items.count, place < count else { return nil }
    if isItem(item, at: place) { return Match(item: item, byteCount: items.byteCount(item)) }
    return respelled(item, at: place)
  }

  /// Whether an item's bytes are at an offset; most mismatches are found by the last byte.
  @inline(__always)
  private func isItem(_ item: Int, at place: Int) -> Bool {
    let length = items.byteCount(item)
    guard length > 1, length <= count - place, text[place + length - 1] == UInt8(ascii: "}") else {
      return false
    }
    return memcmp(text + place, items.bytes(item), length) == 0
  }

  /// The item, if the text has it at an offset with other escapes or its members in another order.
  private mutating func respelled(_ item: Int, at place: Int) -> Match? {
    let rest = UnsafeBufferPointer(start: text + place, count: count - place)
    let known = items.buffer(item)
    guard rest[0] == UInt8(ascii: "{"), known.count > 1 else { return nil }
    var byteCount = respelledCount(of: known.span, in: rest.span) ?? 0
    if byteCount == 0 {
      byteCount = takeObject(at: place)
      guard byteCount == known.count, spelling.isReordered(rest.span, known.span) else {
        return nil
      }
    }
    guard byteCount <= itemBytesMax else { return nil }
    return Match(item: item, byteCount: byteCount, isRespelled: true)
  }
}

/// Where items are in the head, by their bytes.
///
/// Hashes are seeded, and bytes are compared where they lead.
private struct ItemIndex {
  /// An item and one, or 0 for an empty slot; at most half of them are taken.
  private var slots: [UInt32]

  init(_ items: Contents.Items) {
    var slotCount = 16
    while slotCount < 2 * items.count { slotCount *= 2 }
    slots = [UInt32](repeating: 0, count: slotCount)
    for item in 0..<items.count {
      var slot = firstSlot(items.buffer(item).span)
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
