import SnapshotJSON
import Synchronization

/// The values that some items have at one pointer, found once for all views that ask for them.
struct ItemColumn: Sendable {
  private enum Value {
    case missing
    /// An integer of at most 17 digits.
    case integer(Int)
    /// Any other value: where it is in the column's text.
    case text(at: Int, count: Int)
  }

  private var values: [Value] = []
  private var text: [UInt8] = []

  /// Finds the values; nil if the contents of an item are not available.
  init?(
    _ pointer: JSONPointer, of items: some Collection<Int>, _ json: (Int) -> ArraySlice<UInt8>?
  ) {
    let tree = PointerTree([pointer])
    var places = tree.noPlaces
    values.reserveCapacity(items.count)
    for item in items {
      guard let json = json(item) else { return nil }
      tree.find(in: json.span, &places)
      let place = places[tree.leaves[0]].value
      let start = json.startIndex
      let value = json[start + place.lowerBound..<start + place.upperBound]
      if value.isEmpty {
        values.append(.missing)
      } else if let integer = ViewNumber.integer(value) {
        values.append(.integer(integer))
      } else {
        values.append(.text(at: text.count, count: value.count))
        text += value
      }
    }
  }

  var byteCount: Int { values.count * MemoryLayout<Value>.stride + text.count }

  /// Returns those of some items, given by their places in the column, that satisfy a term.
  func places(_ places: [Int], satisfying term: ViewTerm, _ reader: JSONReader) -> [Int] {
    let bound = term.integer
    return places.filter { place in
      switch values[place] {
      case .missing: term.holds(nil, reader)
      case .integer(let integer):
        bound.map { term.operator.holds(integer < $0 ? -1 : integer > $0 ? 1 : 0) }
          ?? term.holds(Array(String(integer).utf8)[...], reader)
      case .text(let start, let count): term.holds(text[start..<start + count], reader)
      }
    }
  }
}

/// The columns of some items of a version that were asked for lately.
final class ItemColumns: Sendable {
  private let state = Mutex<[JSONPointer: ItemColumn]>([:])
  private let bytesMax: Int

  /// Creates an empty set, which remembers a quarter of the version's contents, or one column.
  convenience init(of contents: Contents) {
    self.init(bytesMax: max(64 << 10, contents.byteCount / 4))
  }

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  var byteCount: Int { state.withLock { $0.values.reduce(0) { $0 + $1.byteCount } } }

  /// Returns the items that satisfy terms, as places among all that the columns are of.
  ///
  /// - Parameters:
  ///   - places: The places of the items that are held against them.
  ///   - terms: The terms.
  ///   - items: The flat indices of all that the columns are of.
  ///   - json: The contents of an item, by its flat index.
  ///   - reader: The JSON reader.
  /// - Returns: The places; nil if the contents of an item are needed and not available.
  func places(
    _ places: [Int], satisfying terms: [ViewTerm], of items: some Collection<Int>,
    _ json: (Int) -> ArraySlice<UInt8>?, _ reader: JSONReader
  ) -> [Int]? {
    var places = places
    for term in terms {
      guard let column = column(term.pointer, of: items, json) else { return nil }
      places = column.places(places, satisfying: term, reader)
    }
    return places
  }

  private func column(
    _ pointer: JSONPointer, of items: some Collection<Int>, _ json: (Int) -> ArraySlice<UInt8>?
  ) -> ItemColumn? {
    if let known = state.withLock({ $0[pointer] }) { return known }
    guard let column = ItemColumn(pointer, of: items, json) else { return nil }
    state.withLock { columns in
      let size = columns.values.reduce(column.byteCount) { $0 + $1.byteCount }
      if size > bytesMax { columns = [:] }
      columns[pointer] = column
    }
    return column
  }
}
