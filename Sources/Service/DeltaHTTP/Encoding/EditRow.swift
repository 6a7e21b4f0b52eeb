import DeltaEngine

/// Tracks the index of each element while a list is edited one element at a time, in any order.
///
/// All positions that elements ever have are laid out in one row. An element that stays has one
/// position; any other has two, its old and its new one, placed between the same staying neighbors
/// as in the lists. A removal empties a position and an insertion fills one, and the index of an
/// element is the number of filled positions before it, kept in a Fenwick tree.
struct EditRow {
  private var sourcePlaces: [Int] = []
  private var targetPlaces: [Int] = []
  private var filled: FenwickTree

  /// Creates a row that holds the source list.
  ///
  /// - Parameters:
  ///   - leaving: For each index of the source, whether the element is removed or moved.
  ///   - arriving: For each index of the target, whether the element is inserted or moved.
  /// - Precondition: The same number of elements stay in both lists.
  init(leaving: [Bool], arriving: [Bool]) {
    sourcePlaces.reserveCapacity(leaving.count)
    targetPlaces.reserveCapacity(arriving.count)
    var place = 0
    while sourcePlaces.count < leaving.count || targetPlaces.count < arriving.count {
      if sourcePlaces.count < leaving.count, leaving[sourcePlaces.count] {
        sourcePlaces.append(place)
      } else if targetPlaces.count < arriving.count, arriving[targetPlaces.count] {
        targetPlaces.append(place)
      } else {
        sourcePlaces.append(place)
        targetPlaces.append(place)
      }
      place += 1
    }
    filled = FenwickTree(count: place)
    for place in sourcePlaces { filled.add(1, at: place) }
  }

  /// Returns the current index of an element of the source.
  func index(ofSource source: Int) -> Int { filled.sum(below: sourcePlaces[source]) }

  /// Returns the current index of an element of the target.
  func index(ofTarget target: Int) -> Int { filled.sum(below: targetPlaces[target]) }

  /// Removes an element of the source and returns the index it had.
  mutating func remove(source: Int) -> Int {
    filled.add(-1, at: sourcePlaces[source])
    return index(ofSource: source)
  }

  /// Inserts an element of the target and returns its index.
  mutating func insert(target: Int) -> Int {
    filled.add(1, at: targetPlaces[target])
    return index(ofTarget: target)
  }
}
