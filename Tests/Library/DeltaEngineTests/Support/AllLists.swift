import ListTestSupport

/// Every list of distinct elements out of `pool`: all subsets in all orders.
func arrangements<Element>(of pool: [Element]) -> [[Element]] {
  var all: [[Element]] = [[]]
  for index in pool.indices {
    var rest = pool
    let first = rest.remove(at: index)
    all += arrangements(of: rest).map { [first] + $0 }
  }
  return all
}

/// Every sectioned list of distinct section ids out of one pool and distinct items out of another.
func sectionedLists(sections: [String], items: [String]) -> [[Section]] {
  let fillings = arrangements(of: items)
  return arrangements(of: sections).flatMap { ids in
    fillings.flatMap { filling in
      splits(of: filling, into: ids.count).map { parts in
        zip(ids, parts).map { Section(id: $0, items: $1.map { Item(id: $0) }) }
      }
    }
  }
}

/// Every way to cut a list into `count` consecutive parts.
private func splits<Element>(of list: [Element], into count: Int) -> [[[Element]]] {
  if count == 0 { return list.isEmpty ? [[]] : [] }
  if count == 1 { return [[list]] }
  return (0...list.count).flatMap { cut in
    splits(of: Array(list[cut...]), into: count - 1).map { [Array(list[..<cut])] + $0 }
  }
}

/// The length of a longest common order, by trying every subset: obvious, exponential.
func longestCommonOrderByBruteForce<ID: Equatable>(_ source: [ID], _ target: [ID]) -> Int {
  var best = 0
  for mask in 0..<(1 << source.count) {
    let chosen = source.indices.filter { mask >> $0 & 1 == 1 }.map { source[$0] }
    if chosen.count > best, isSubsequence(chosen, of: target) { best = chosen.count }
  }
  return best
}

private func isSubsequence<ID: Equatable>(_ ids: [ID], of list: [ID]) -> Bool {
  var rest = ids[...]
  for id in list where rest.first == id { rest.removeFirst() }
  return rest.isEmpty
}
