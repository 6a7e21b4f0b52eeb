import SnapshotJSON

/// Terms that items are held against one after the other, with the memory that takes.
struct ItemTerms {
  private let terms: [ViewTerm]
  private let tree: PointerTree
  private var places: [PointerTree.Place]
  private var digests = ValueDigests()

  init(_ terms: [ViewTerm]) {
    self.terms = terms
    tree = PointerTree(terms.map(\.pointer))
    places = tree.noPlaces
  }

  /// Whether an item satisfies all terms.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes in the item.
  mutating func hold(for item: ArraySlice<UInt8>, _ reader: JSONReader) -> Bool {
    if terms.isEmpty { return true }
    tree.find(in: item.span, &places)
    var values: [Int: ItemValue] = [:]
    for (term, leaf) in zip(terms, tree.leaves) {
      let place = places[leaf].value
      let start = item.startIndex
      let value =
        values[leaf]
        ?? ItemValue(item[start + place.lowerBound..<start + place.upperBound], &digests)
      values[leaf] = value
      guard term.holds(value, reader) else { return false }
    }
    return true
  }
}

/// A selection that items are reduced to one after the other, with the memory that takes.
struct ItemProjection {
  private let tree: PointerTree
  private var places: [PointerTree.Place]

  init(_ selection: ViewSelection) {
    tree = PointerTree(selection.pointers)
    places = tree.noPlaces
  }

  /// Appends the item as far as it is selected, its members in their own order.
  mutating func write(_ item: ArraySlice<UInt8>, to output: inout [UInt8]) {
    tree.find(in: item.span, &places)
    tree.write(item.span, places, to: &output)
  }

  /// The item as far as it is selected.
  mutating func callAsFunction(_ item: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    write(item, to: &output)
    return output
  }
}
