import DeltaEngine

/// An item of the tests: an id and a revision of its content.
struct Item: Diffable, Hashable, CustomStringConvertible {
  var id: String
  var revision = 0

  var diffID: String { id }
  func hasSameContent(as other: Item) -> Bool { revision == other.revision }
  var description: String { revision == 0 ? id : "\(id)\(revision)" }
}

/// A section of the tests.
struct Section: DiffableSection, Hashable, CustomStringConvertible {
  var id: String
  var revision = 0
  var items: [Item]

  var diffID: String { id }
  func hasSameContent(as other: Section) -> Bool { revision == other.revision }
  var description: String {
    "\(id)\(revision == 0 ? "" : "\(revision)"):\(items.map(\.description).joined())"
  }
}

/// Reads `x:AB1 y:C`: sections by lower-case letters, items by upper-case ones, each with an
/// optional revision digit.
func list(_ text: String) -> [Section] {
  text.split(separator: " ").map { part in
    let sides = part.split(separator: ":", omittingEmptySubsequences: false)
    let head = items(String(sides[0])).first ?? Item(id: "")
    return Section(id: head.id, revision: head.revision, items: items(String(sides[1])))
  }
}

/// Reads `AB1C`: items by letters, each with an optional revision digit.
func items(_ text: String) -> [Item] {
  var items: [Item] = []
  for character in text {
    if let digit = character.wholeNumberValue, !items.isEmpty {
      items[items.count - 1].revision = digit
    } else {
      items.append(Item(id: String(character)))
    }
  }
  return items
}
