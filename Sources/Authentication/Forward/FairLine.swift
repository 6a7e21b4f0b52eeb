/// What waits in line, for several parties in turns: a party with much in line delays no other's.
struct FairLine<Party: Hashable, Element> {
  private var lines: [Party: [Element]] = [:]
  /// The parties with something in line, in the order of their turns, from `first` on.
  private var turns: [Party] = []
  private var first = 0
  private(set) var count = 0

  func count(of party: Party) -> Int { lines[party]?.count ?? 0 }

  /// Adds an element to the end of its party's.
  ///
  /// - Complexity: O(1), on average.
  mutating func append(_ element: Element, of party: Party) {
    if lines[party] == nil { turns.append(party) }
    lines[party, default: []].append(element)
    count += 1
  }

  /// Takes the first element of the party whose turn it is.
  ///
  /// - Complexity: O(*n*), where *n* is the number of the party's elements.
  mutating func popFirst() -> Element? {
    guard first < turns.count else { return nil }
    let party = turns[first]
    first += 1
    if first * 2 > turns.count {
      turns.removeFirst(first)
      first = 0
    }
    guard var line = lines.removeValue(forKey: party), !line.isEmpty else { return nil }
    let element = line.removeFirst()
    if !line.isEmpty {
      lines[party] = line
      turns.append(party)
    }
    count -= 1
    return element
  }

  /// Leaves only the elements that satisfy a condition.
  mutating func keep(where isKept: (Element) -> Bool) {
    lines = lines.compactMapValues { line in
      let kept = line.filter(isKept)
      return kept.isEmpty ? nil : kept
    }
    turns = turns[first...].filter { lines[$0] != nil }
    first = 0
    count = lines.values.reduce(0) { $0 + $1.count }
  }
}
