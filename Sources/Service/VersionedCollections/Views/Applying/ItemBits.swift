/// A set of a version's items by flat index, as bits, that counts its elements before any index.
struct ItemBits: Hashable, Sendable {
  let itemCount: Int
  private var words: [UInt64]
  /// The number of elements before each block of `blockWords` words.
  private var ranks: [UInt32] = []
  private(set) var count = 0
  /// Whether the elements are counted.
  private var isSealed = false

  private static let blockWords = 8

  /// Creates an empty set, to which elements are added until it is sealed.
  init(itemCount: Int) {
    self.itemCount = itemCount
    words = [UInt64](repeating: 0, count: (itemCount + 63) / 64)
  }

  mutating func insert(_ item: Int) { words[item >> 6] |= 1 << (item & 63) }

  /// Replaces what is known of some items by those of them that are elements; both ascend.
  ///
  /// Nothing is copied if all are what they were.
  mutating func replace(_ items: [Int], by elements: [Int]) {
    var next = 0
    for item in items {
      let isElement = next < elements.count && elements[next] == item
      if isElement { next += 1 }
      guard contains(item) != isElement else { continue }
      words[item >> 6] ^= 1 << (item & 63)
      isSealed = false
    }
  }

  /// Adds the elements of another set in a range, moved to begin at an index; none may be there yet.
  mutating func insert(_ range: Range<Int>, of other: ItemBits, at start: Int) {
    var source = range.lowerBound
    var target = start
    while source < range.upperBound {
      let count = min(64 - source & 63, 64 - target & 63, range.upperBound - source)
      let mask = count == 64 ? UInt64.max : (1 << count) - 1
      words[target >> 6] |= (other.words[source >> 6] >> (source & 63) & mask) << (target & 63)
      source += count
      target += count
    }
  }

  /// The elements that are unchanged in a newer version; those that changed are as they were if all are in place.
  func kept(by changes: ViewChanges) -> ItemBits {
    if changes.isInPlace { return self }
    var kept = ItemBits(itemCount: changes.itemCount)
    for run in changes.runs {
      kept.insert(run.source..<run.source + run.count, of: self, at: run.target)
    }
    return kept
  }

  /// Counts the elements; none is added after that.
  mutating func seal() {
    if isSealed { return }
    isSealed = true
    ranks = []
    count = 0
    for block in stride(from: 0, to: words.count, by: Self.blockWords) {
      ranks.append(UInt32(count))
      for word in words[block..<min(block + Self.blockWords, words.count)] {
        count += word.nonzeroBitCount
      }
    }
  }

  func contains(_ item: Int) -> Bool { words[item >> 6] >> (item & 63) & 1 == 1 }

  /// The number of elements before an index.
  func rank(_ item: Int) -> Int {
    guard item < itemCount else { return count }
    let word = item >> 6
    let block = word / Self.blockWords
    var rank = Int(ranks[block])
    for before in block * Self.blockWords..<word { rank += words[before].nonzeroBitCount }
    return rank + (words[word] & ((1 << (item & 63)) - 1)).nonzeroBitCount
  }

  /// The element that has a number of elements before it, which must be less than ``count``.
  func element(_ rank: Int) -> Int {
    var blocks = 0..<ranks.count
    while blocks.count > 1 {
      let middle = blocks.lowerBound + blocks.count / 2
      blocks = Int(ranks[middle]) <= rank ? middle..<blocks.upperBound : blocks.lowerBound..<middle
    }
    var rest = rank - Int(ranks[blocks.lowerBound])
    var word = blocks.lowerBound * Self.blockWords
    while words[word].nonzeroBitCount <= rest {
      rest -= words[word].nonzeroBitCount
      word += 1
    }
    var bits = words[word]
    for _ in 0..<rest { bits &= bits - 1 }
    return word << 6 + bits.trailingZeroBitCount
  }

  var byteCount: Int { words.count * 8 + ranks.count * 4 }
}
