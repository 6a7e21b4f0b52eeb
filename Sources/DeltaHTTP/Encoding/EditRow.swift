import DeltaEngine

/// A list on its way from one version to another, edited one element at a time in any order: gives
/// at which index each edit takes place at its moment.
///
/// All places that an element ever has are laid out in one row. An element that stays has one;
/// others have two, where it was and where it will be, between the same staying neighbours as in
/// either list. A removal frees a place and an insertion fills one, and their indices are the
/// numbers of filled places before them, kept in a Fenwick tree.
struct EditRow {
  private var sourcePlaces: [Int] = []
  private var targetPlaces: [Int] = []
  private var filled: FenwickTree

  /// A list as the source has it.
  ///
  /// - Parameters:
  ///   - leaving: Per index of the source, whether the element is removed or moved.
  ///   - arriving: Per index of the target, whether the element is inserted or moved.
  /// - Precondition: As many elements stay in the one as in the other.
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

  /// The current index of an element of the source.
  func index(ofSource source: Int) -> Int { filled.sum(below: sourcePlaces[source]) }

  /// The current index of an element of the target.
  func index(ofTarget target: Int) -> Int { filled.sum(below: targetPlaces[target]) }

  /// Removes an element of the source; gives the index it had.
  mutating func remove(source: Int) -> Int {
    filled.add(-1, at: sourcePlaces[source])
    return index(ofSource: source)
  }

  /// Inserts an element of the target; gives its index.
  mutating func insert(target: Int) -> Int {
    filled.add(1, at: targetPlaces[target])
    return index(ofTarget: target)
  }
}
