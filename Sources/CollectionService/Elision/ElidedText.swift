import SnapshotJSON

/// A snapshot's text without the items that are known from the head.
///
/// Writers send the whole list each time, and most of it is unchanged: comparing bytes is ten times
/// as fast as reading JSON. Each run of unchanged items is replaced by an empty object, so that the
/// rest is JSON exactly when the whole text is. A text of which less than half is unchanged is read
/// as it is.
struct ElidedText {
  private(set) var bytes: [UInt8] = []
  /// Where the empty objects are, one for each run.
  private(set) var omissions: [Snapshot.Omission] = []
  private(set) var unchanged = UnchangedItems()

  /// Leaves unchanged items out of a text; nil when there are too few, or when one is there twice.
  ///
  /// - Parameters:
  ///   - text: Any bytes.
  ///   - known: The head's contents.
  ///   - itemBytesMax: No longer item is known.
  /// - Complexity: O(n): the tries are bounded by the items that are found.
  init?(_ text: [UInt8], known: Contents, itemBytesMax: Int) {
    let found = text.withUnsafeBufferPointer { text in
      known.withItems { items -> FoundItems? in
        guard let start = text.baseAddress else { return nil }
        var scanner = ElisionScanner(
          text: start, count: text.count, items: items, itemBytesMax: itemBytesMax)
        return scanner.scan() ? scanner.found : nil
      }
    }
    guard let found = found ?? nil else { return nil }
    unchanged.runs = found.runs
    guard !unchanged.hasRepetition else { return nil }
    leaveOut(found.places, of: text)
    if found.hasRespelled { unchanged.spelling = found.contents(of: text) }
  }

  /// The same of a text that may have white space between its tokens, which known items have not.
  static func shortened(
    _ text: [UInt8], known: Contents, itemBytesMax: Int
  ) -> ElidedText? {
    func elided(_ text: [UInt8]) -> ElidedText? {
      ElidedText(text, known: known, itemBytesMax: itemBytesMax)
    }
    if !beginsSpaced(text), let found = elided(text) { return found }
    return minifiedText(text).flatMap(elided)
  }

  /// Whether white space is between the first tokens of a text; a wrong answer costs time.
  private static func beginsSpaced(_ text: [UInt8]) -> Bool {
    var isString = false
    for byte in text.prefix(1024) {
      if byte == UInt8(ascii: "\"") { isString.toggle() }
      if !isString, byte <= UInt8(ascii: " ") { return true }
    }
    return false
  }

  private mutating func leaveOut(
    _ places: [Range<Int>], of text: [UInt8]
  ) {
    bytes.reserveCapacity(text.count - places.reduce(0) { $0 + $1.count - 2 })
    omissions.reserveCapacity(places.count)
    var end = 0
    for (place, run) in zip(places, unchanged.runs) {
      bytes.append(contentsOf: text[end..<place.lowerBound])
      omissions.append(Snapshot.Omission(offset: bytes.count, count: run.count))
      bytes.append(contentsOf: "{}".utf8)
      end = place.upperBound
    }
    bytes.append(contentsOf: text[end...])
  }
}

/// The items of a snapshot that the head has too.
struct UnchangedItems: Sendable {
  /// Their flat indices in the head, a run for each gap of the snapshot, in its order.
  var runs: [Range<Int>] = []
  /// Just these items as the snapshot has them, where one is written otherwise than in the head; nil
  /// when all have the head's bytes.
  var spelling: Contents?

  var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// The runs by their place in the head.
  var ascendingRuns: [Range<Int>] { runs.sorted { $0.lowerBound < $1.lowerBound } }

  /// Whether an item of the head is in two runs.
  var hasRepetition: Bool {
    var end = 0
    return ascendingRuns.contains { run in
      defer { end = run.upperBound }
      return run.lowerBound < end
    }
  }
}

/// What is found of the head in a text.
struct FoundItems {
  /// The runs of items by their flat indices in the head, in the order of the text.
  var runs: [Range<Int>] = []
  /// The range of each run in the text.
  var places: [Range<Int>] = []
  /// How many bytes each item has in the text; a comma is between two of a run.
  var byteCounts: [UInt32] = []
  /// Whether an item is written otherwise than in the head.
  var hasRespelled = false

  /// The items' contents, whose buffer is the text; one that has room for much more is copied.
  fileprivate func contents(of text: [UInt8]) -> Contents {
    var itemPlaces: [Contents.Place] = []
    itemPlaces.reserveCapacity(byteCounts.count)
    for (run, place) in zip(runs, places) {
      var offset = place.lowerBound
      for _ in run {
        let count = Int(byteCounts[itemPlaces.count])
        itemPlaces.append(Contents.Place(offset: offset, count: count))
        offset += count + 1
      }
    }
    let isLarge = text.capacity > text.count + text.count / 8
    return Contents(
      buffer: isLarge ? Array(text[...]) : text, itemPlaces: itemPlaces, headerPlaces: [],
      metaPlace: nil)
  }
}
