import LiveCollections

/// An item of the tests: an id and a revision of its content.
package struct Item: UniquelyIdentifiable, Hashable, Sendable, CustomStringConvertible {
  package var id: String
  package var revision: Int

  package init(id: String, revision: Int = 0) {
    self.id = id
    self.revision = revision
  }

  package var uniqueID: String { id }
  package var diffID: String { id }
  package var description: String { revision == 0 ? id : "\(id)\(revision)" }
}

/// A section of the tests; its revision is all that its header shows.
package struct Section: UniquelyIdentifiableSection, Hashable, Sendable, CustomStringConvertible {
  package var id: String
  package var revision: Int
  package var items: [Item]

  package init(id: String, revision: Int = 0, items: [Item]) {
    self.id = id
    self.revision = revision
    self.items = items
  }

  package var uniqueID: String { id }
  package var diffID: String { id }
  package var header: Int { revision }
  package var description: String {
    "\(id)\(revision == 0 ? "" : "\(revision)"):\(items.map(\.description).joined())"
  }
}

/// Reads `x:AB1 y:C`: sections by lower-case letters, items by upper-case ones, each with an
/// optional revision digit.
package func list(_ text: String) -> [Section] {
  text.split(separator: " ").map { part in
    let sides = part.split(separator: ":", omittingEmptySubsequences: false)
    let head = items(String(sides[0])).first ?? Item(id: "")
    return Section(id: head.id, revision: head.revision, items: items(String(sides[1])))
  }
}

/// Reads `AB1C`: items by letters, each with an optional revision digit.
package func items(_ text: String) -> [Item] {
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

/// Writes sections as `list` reads them.
package func text(_ sections: [Section]) -> String {
  sections.map(\.description).joined(separator: " ")
}

/// Writes items as `items` reads them.
package func text(_ items: [Item]) -> String { items.map(\.description).joined() }
