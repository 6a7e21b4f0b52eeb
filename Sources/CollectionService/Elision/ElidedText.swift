import Glibc
import SnapshotJSON

/// A snapshot's text without the items that have the same bytes in the head.
///
/// Writers send the whole list each time, and most of it is unchanged: comparing bytes is ten times
/// as fast as reading JSON. Each run of unchanged items is replaced by an empty object, so that the
/// rest is JSON exactly when the whole text is. A text of which less than half is unchanged is read
/// as it is.
struct ElidedText {
  private(set) var bytes: [UInt8] = []
  /// Where the empty objects are, one for each run.
  private(set) var omissions: [Snapshot.Omission] = []
  /// The items that were left out, by their flat indices in the head; ascending.
  private(set) var runs: [Range<Int>] = []

  /// Leaves unchanged items out of a text; nil when there are too few.
  ///
  /// - Parameters:
  ///   - text: Any bytes.
  ///   - known: The head's contents.
  /// - Complexity: O(n): the tries are bounded by the items that are found.
  init?(_ text: [UInt8], known: Contents) {
    let places = text.withUnsafeBufferPointer { text in
      known.withItems { items -> [Range<Int>]? in
        guard let start = text.baseAddress else { return nil }
        var scanner = ElisionScanner(text: start, count: text.count, items: items)
        guard scanner.scan() else { return nil }
        runs = scanner.runs
        return scanner.places
      }
    }
    guard let places = places ?? nil else { return nil }
    leaveOut(places, of: text)
  }

  /// The same of a text that may have white space between its tokens, which known items have not.
  static func shortened(_ text: [UInt8], known: Contents) -> ElidedText? {
    ElidedText(text, known: known)
      ?? minifiedText(text).flatMap { ElidedText($0, known: known) }
  }

  private mutating func leaveOut(
    _ places: [Range<Int>], of text: [UInt8]
  ) {
    bytes.reserveCapacity(text.count - places.reduce(0) { $0 + $1.count - 2 })
    omissions.reserveCapacity(places.count)
    var end = 0
    for (place, run) in zip(places, runs) {
      bytes.append(contentsOf: text[end..<place.lowerBound])
      omissions.append(Snapshot.Omission(offset: bytes.count, count: run.count))
      bytes.append(contentsOf: "{}".utf8)
      end = place.upperBound
    }
    bytes.append(contentsOf: text[end...])
  }
}

/// Finds the runs of known items in a text, in one pass.
///
/// It only skips strings and counts open brackets: whether the text is JSON is for its reader to
/// say, who gets every byte that is not of a known item.
private struct ElisionScanner {
  let text: UnsafePointer<UInt8>
  let count: Int
  let items: Contents.Items
  private(set) var runs: [Range<Int>] = []
  /// The range of each run in the text.
  private(set) var places: [Range<Int>] = []
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
  private var foundCount = 0
  /// How many bytes of the text the known items take.
  private var knownBytes = 0

  private static let windowMin = 4
  private static let windowMax = 64
  /// How many items in a row may be new before anything is found.
  private static let missesMax = 256

  init(text: UnsafePointer<UInt8>, count: Int, items: Contents.Items) {
    self.text = text
    self.count = count
    self.items = items
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
    guard depth < 64, missCount <= Self.missesMax + foundCount else { return false }
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

  /// Moves behind the known items that begin here, if any do.
  private mutating func takeItems() -> Bool {
    guard arrays & 1 == 1, itemDepth ?? depth == depth, let first = find() else { return false }
    itemDepth = depth
    let start = position
    var next = first
    repeat {
      position += items.byteCount(next)
      next += 1
    } while follows(next)
    runs.append(first..<next)
    places.append(start..<position)
    foundCount += next - first
    knownBytes += position - start
    expected = next
    window = Self.windowMin
    return true
  }

  /// The item that begins here, among those that may.
  private mutating func find() -> Int? {
    let end = min(expected + window, items.count)
    if let found = (min(expected, end)..<end).first(where: { isItem($0, at: position) }) {
      return found
    }
    missCount += 1
    window = min(window + 2, Self.windowMax)
    return nil
  }

  /// Whether a comma and the item are next; moves behind the comma then.
  private mutating func follows(_ item: Int) -> Bool {
    guard item < items.count, position < count, text[position] == UInt8(ascii: ","),
      isItem(item, at: position + 1)
    else { return false }
    position += 1
    return true
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
}
