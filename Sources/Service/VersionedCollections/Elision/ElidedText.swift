import SnapshotJSON

#if !Server
  #error("this is a part of the service: build it with --traits Server")
#endif

/// A snapshot's text with the items that the head already has left out.
///
/// Writers send the whole list each time, although most of it is unchanged, and comparing bytes is
/// ten times as fast as parsing JSON. Each run of unchanged items is replaced by an empty object,
/// so that the result is valid JSON if and only if the original is. If less than half of a text is
/// unchanged, it is read in full.
struct ElidedText {
  private(set) var bytes: [UInt8] = []
  /// The empty objects, one for each run.
  private(set) var markers: [Snapshot.ElisionMarker] = []
  private(set) var unchanged = UnchangedItems()

  /// Elides unchanged items from a text; returns nil if there are too few or one occurs twice.
  ///
  /// - Parameters:
  ///   - text: Any bytes.
  ///   - known: The head's contents.
  /// - Complexity: O(*n*): the number of attempts is limited by the number of items found.
  init?(_ text: [UInt8], known: Contents) {
    let found = known.withItems { items -> FoundItems? in
      var scanner = ElisionScanner(text: text, items: items)
      return scanner.scan() ? scanner.found : nil
    }
    guard let found = found ?? nil else { return nil }
    unchanged.runs = found.runs
    guard !unchanged.hasRepetition else { return nil }
    leaveOut(found.places, of: text)
  }

  /// Elides unchanged items from a text that may contain white space between tokens.
  static func shortened(_ text: [UInt8], known: Contents) -> ElidedText? {
    if !beginsSpaced(text), let found = ElidedText(text, known: known) { return found }
    return minifiedText(text).flatMap { ElidedText($0, known: known) }
  }

  /// Whether a text starts with white space between tokens; a wrong guess only costs time.
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
    markers.reserveCapacity(places.count)
    var end = 0
    for (place, run) in zip(places, unchanged.runs) {
      bytes.append(contentsOf: text[end..<place.lowerBound])
      markers.append(Snapshot.ElisionMarker(offset: bytes.count, count: run.count))
      bytes.append(contentsOf: "{}".utf8)
      end = place.upperBound
    }
    bytes.append(contentsOf: text[end...])
  }
}

/// The items of a snapshot that the head also has.
package struct UnchangedItems: Sendable {
  /// Their flat indices in the head, one run for each gap of the snapshot, in its order.
  var runs: [Range<Int>] = []

  package var count: Int { runs.reduce(0) { $0 + $1.count } }

  /// The runs in the head's order.
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
