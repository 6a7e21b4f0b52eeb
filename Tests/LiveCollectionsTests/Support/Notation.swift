import LiveCollections

/// An item of the tests: an id and a revision of its content.
struct Item: UniquelyIdentifiable, Hashable, Sendable, CustomStringConvertible {
  var uniqueID: String
  var revision = 0

  var description: String { revision == 0 ? uniqueID : "\(uniqueID)\(revision)" }
}

/// A section of the tests; its revision is all that its header shows.
struct Section: UniquelyIdentifiableSection, Hashable, Sendable, CustomStringConvertible {
  var uniqueID: String
  var header = 0
  var items: [Item]

  var description: String {
    "\(uniqueID)\(header == 0 ? "" : "\(header)"):\(items.map(\.description).joined())"
  }
}

/// Reads `x:AB1 y:C`: sections by lower-case letters, items by upper-case ones, each with an
/// optional revision digit.
func list(_ text: String) -> [Section] {
  text.split(separator: " ").map { part in
    let sides = part.split(separator: ":", omittingEmptySubsequences: false)
    let head = items(String(sides[0])).first ?? Item(uniqueID: "")
    return Section(uniqueID: head.uniqueID, header: head.revision, items: items(String(sides[1])))
  }
}

/// Reads `AB1C`: items by letters, each with an optional revision digit.
func items(_ text: String) -> [Item] {
  var items: [Item] = []
  for character in text {
    if let digit = character.wholeNumberValue, !items.isEmpty {
      items[items.count - 1].revision = digit
    } else {
      items.append(Item(uniqueID: String(character)))
    }
  }
  return items
}

/// Writes sections as `list` reads them.
func text(_ sections: [Section]) -> String { sections.map(\.description).joined(separator: " ") }

/// Writes items as `items` reads them.
func text(_ items: [Item]) -> String { items.map(\.description).joined() }
