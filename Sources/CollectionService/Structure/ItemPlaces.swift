/// Where in a list each item is, by the item's number.
///
/// A list of much of a collection has most of the numbers: an array over all numbers finds an item
/// at once. A list inside an item has few of them, and takes no more than it is long.
enum ItemPlaces {
  /// The index by number, or -1.
  case dense([Int32])
  case sparse([UInt32: Int32])

  /// - Complexity: O(n) in the items, in time and memory.
  init(_ items: [StructureItem]) {
    let numbersMax = Int(items.max { $0.uniqueID < $1.uniqueID }?.uniqueID ?? 0) + 1
    if numbersMax <= 8 * items.count + 64 {
      var places = [Int32](repeating: -1, count: numbersMax)
      for (index, item) in items.enumerated() { places[Int(item.uniqueID)] = Int32(index) }
      self = .dense(places)
    } else {
      var places: [UInt32: Int32] = [:]
      places.reserveCapacity(items.count)
      for (index, item) in items.enumerated() { places[item.uniqueID] = Int32(index) }
      self = .sparse(places)
    }
  }

  /// The index of the item with a number; nil when there is none.
  func place(of id: UInt32) -> Int32? {
    switch self {
    case .dense(let places):
      guard Int(id) < places.count, places[Int(id)] >= 0 else { return nil }
      return places[Int(id)]
    case .sparse(let places): return places[id]
    }
  }
}
