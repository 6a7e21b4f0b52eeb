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
  private let itemBytesMax: Int
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
  private var spelling = ItemSpelling()
  /// Whether the last item that was spelled differently had its members in another order.
  private var isReordered = false
  /// The offset of the object in `spelling`, and its length in bytes.
  private var object = (place: -1, byteCount: 0)
  private var index: ItemIndex?

  private static let windowMin = 4
  private static let windowMax = 64
  /// The most misses before anything is found.
  private static let missesMax = 256
  /// The number of consecutive misses after which the head's order is no longer expected.
  private static let missesInARowMax = 32

  init(text: [UInt8], items: Contents.Items, itemBytesMax: Int) {
    self.text = text
    count = text.count
    self.items = items
    self.itemBytesMax = itemBytesMax
    longest = (0..<items.count).reduce(0) { max($0, items.byteCount($1)) } + 63 & ~63
  }

  /// - Returns: Whether the end was reached and more than half of the text is known.
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

  /// Moves past a string's closing quote.
  private mutating func skipString() {
    position += 1
    while position < count, text[position] != UInt8(ascii: "\"") {
      position += text[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, count)
  }

  // MARK: Items

  /// A known item at the current position, and its length in the text.
  private struct Match {
    var item: Int
    var byteCount: Int
    var isRespelled = false
  }

  /// Moves past the known items at the current position; false if there are none.
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

  /// Finds the item at the current position among those expected.
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

  /// Finds the item at the current position anywhere in the head.
  private mutating func findElsewhere() -> Match? {
    if index == nil, missesInARow >= Self.missesInARowMax { index = ItemIndex(items) }
    guard let index else { return nil }
    let length = takeObject(at: position)
    let bytes = text.span.extracting(position..<position + length)
    guard length > 0, let item = index.find(bytes, items) else { return nil }
    return Match(item: item, byteCount: length)
  }

  /// The length of the object at an offset in bytes; 0 if it is not known.
  private mutating func takeObject(at place: Int) -> Int {
    if object.place != place {
      // No known item is longer; this bounds the bytes examined, whatever the text.
      let text = text
      let length = spelling.take(
        text.span.extracting(place..<place + min(count - place, longest)))
      object = (place, length)
    }
    return object.byteCount
  }

  /// Matches an item at an offset.
  private mutating func match(_ item: Int, at place: Int) -> Match? {
    guard item < items.count, place < count else { return nil }
    if isItem(item, at: place) { return Match(item: item, byteCount: items.byteCount(item)) }
    return respelled(item, at: place)
  }

  /// Whether an item is at an offset; most mismatches are detected by the last byte.
  @inline(__always)
  private func isItem(_ item: Int, at place: Int) -> Bool {
    let length = items.byteCount(item)
    guard length > 1, length <= count - place, text[place + length - 1] == UInt8(ascii: "}") else {
      return false
    }
    return items.isItem(item, text.span.extracting(place..<place + length))
  }

  /// Matches an item that is spelled with its members in another order or with other escapes, first
  /// as the last such item was.
  private mutating func respelled(_ item: Int, at place: Int) -> Match? {
    guard text[place] == UInt8(ascii: "{"), items.byteCount(item) > 1 else { return nil }
    if isReordered, let match = flatReordered(item, at: place) { return match }
    // The memory of items outlives the scanner.
    let known = unsafe items.buffer(item)
    let escaped = unsafe respelledCount(of: known.span, in: text.span.extracting(place...))
    if let escaped {
      isReordered = false
      return respelling(item, escaped)
    }
    if !isReordered, let match = flatReordered(item, at: place) {
      isReordered = true
      return match
    }
    guard takeObject(at: place) == known.count,
      unsafe spelling.isReordered(text.span.extracting(place...), known.span)
    else { return nil }
    return respelling(item, known.count)
  }

  /// Matches an item without nested values that has its members in another order.
  private mutating func flatReordered(
    _ item: Int, at place: Int
  ) -> Match? {
    let (text, byteCount) = (text, items.byteCount(item))
    // The spans stay within what is readable beyond the item, which is compared by words.
    let isSame = unsafe spelling.isFlatReordered(
      text.span.extracting(place...), items.readable(item).span, count: byteCount)
    guard isSame else { return nil }
    return respelling(item, byteCount)
  }

  private func respelling(_ item: Int, _ byteCount: Int) -> Match? {
    guard byteCount <= itemBytesMax else { return nil }
    return Match(item: item, byteCount: byteCount, isRespelled: true)
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
