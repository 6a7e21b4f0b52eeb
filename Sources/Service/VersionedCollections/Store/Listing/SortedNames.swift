/// Names in their order, in pieces, so that none is far to move.
///
/// - Complexity: Inserting and removing take O(√*n*) at the sizes that fit into memory; finding,
///   O(log *n*).
struct SortedNames {
  /// Ascending; none is empty.
  private var pieces: [[ResourceName]] = []

  private static let pieceMax = 1024

  mutating func insert(_ name: ResourceName) {
    guard !pieces.isEmpty else { return pieces.append([name]) }
    let piece = max(0, pieces.boundary { $0[0] > name } - 1)
    pieces[piece].insert(name, at: pieces[piece].boundary { $0 > name })
    guard pieces[piece].count > Self.pieceMax else { return }
    let upper = Array(pieces[piece][(Self.pieceMax / 2)...])
    pieces[piece].removeLast(upper.count)
    pieces.insert(upper, at: piece + 1)
  }

  mutating func remove(_ name: ResourceName) {
    let piece = pieces.boundary { $0[0] > name } - 1
    guard pieces.indices.contains(piece) else { return }
    let place = pieces[piece].boundary { $0 >= name }
    guard place < pieces[piece].count, pieces[piece][place] == name else { return }
    pieces[piece].remove(at: place)
    if pieces[piece].isEmpty { pieces.remove(at: piece) }
  }

  func names(in range: NameRange, after: ResourceName?, limit: Int) -> [ResourceName] {
    func isPast(_ name: ResourceName) -> Bool {
      !name.text.utf8.lexicographicallyPrecedes(range.first.utf8) && after.map { $0 < name } ?? true
    }
    var found: [ResourceName] = []
    var piece = max(0, pieces.boundary { isPast($0[0]) } - 1)
    while piece < pieces.count, found.count < limit {
      for name in pieces[piece][pieces[piece].boundary(where: isPast)...] {
        if range.last.utf8.lexicographicallyPrecedes(name.text.utf8) { return found }
        found.append(name)
        if found.count == limit { return found }
      }
      piece += 1
    }
    return found
  }
}

extension Array {
  /// The index of the first element that belongs to the second part, by which the array is ordered.
  fileprivate func boundary(where isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
