import DequeModule

/// What waits in line, for several parties in turns: a party with much in line delays no other's.
struct FairLine<Party: Hashable, Element> {
  private var lines: [Party: Deque<Element>] = [:]
  /// The parties with something in line, in the order of their turns.
  private var turns: Deque<Party> = []
  private(set) var count = 0

  func count(of party: Party) -> Int { lines[party]?.count ?? 0 }

  /// Adds an element to the end of its party's.
  mutating func append(_ element: Element, of party: Party) {
    if lines[party] == nil { turns.append(party) }
    lines[party, default: []].append(element)
    count += 1
  }

  /// Takes the first element of the party whose turn it is.
  mutating func popFirst() -> Element? {
    guard let party = turns.popFirst(), let element = lines[party]?.popFirst() else { return nil }
    if count(of: party) > 0 { turns.append(party) } else { lines[party] = nil }
    count -= 1
    return element
  }

  /// Leaves only the elements that satisfy a condition.
  mutating func keep(where isKept: (Element) -> Bool) {
    lines = lines.mapValues { $0.filter(isKept) }.filter { !$0.value.isEmpty }
    turns.removeAll { lines[$0] == nil }
    count = lines.values.reduce(0) { $0 + $1.count }
  }
}
