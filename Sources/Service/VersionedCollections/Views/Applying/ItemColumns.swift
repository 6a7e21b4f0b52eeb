import SnapshotJSON
import Synchronization

/// The columns of some items of a version that were asked for lately.
final class ItemColumns: Sendable {
  private struct State {
    var columns: [JSONPointer: ItemColumn] = [:]
    var ranks: [SortRule: [UInt32]] = [:]

    var byteCount: Int {
      columns.values.reduce(ranks.values.reduce(0) { $0 + 4 * $1.count }) { $0 + $1.byteCount }
    }
  }

  private let state = Mutex(State())
  private let bytesMax: Int

  /// Creates an empty set, which remembers a quarter of the version's contents, or one column.
  convenience init(of contents: Contents) {
    self.init(bytesMax: max(64 << 10, contents.byteCount / 4))
  }

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Returns the items that satisfy terms, as places among all that the columns are of.
  ///
  /// - Parameters:
  ///   - places: The places of the items that are held against them.
  ///   - terms: The terms.
  ///   - items: The flat indices of all that the columns are of.
  ///   - json: The contents of an item, by its flat index.
  ///   - reader: The JSON reader.
  ///   - meter: The work.
  /// - Returns: The places; nil if the contents of an item are needed and not available.
  /// - Throws: `WorkStop`.
  func places(
    _ places: [Int], satisfying terms: [ViewTerm], of items: some Collection<Int>,
    _ json: (Int) -> ArraySlice<UInt8>?, _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> [Int]? {
    var places = places
    for term in terms {
      guard let column = try column(term.pointer, of: items, meter, json) else { return nil }
      places = try column.places(places, satisfying: term, reader, meter)
    }
    return places
  }

  /// Returns the rank of each item by one criterion, whatever its direction; see ``SortRanks``.
  ///
  /// Those of all items are found once for all views that sort by it.
  ///
  /// - Returns: The ranks, by place; nil if the contents of an item are not available.
  /// - Throws: `WorkStop`.
  func ranks(
    by rule: SortRule, of items: some Collection<Int>, _ reader: JSONReader, _ meter: WorkMeter,
    _ json: (Int) -> ArraySlice<UInt8>?
  ) throws(WorkStop) -> [UInt32]? {
    var rule = rule
    rule.isDescending = false
    if let known = state.withLock({ $0.ranks[rule] }) { return known }
    var column = state.withLock { $0.columns[rule.path] }
    if column == nil { column = try ItemColumn(rule.path, of: items, meter, json) }
    guard let column else { return nil }
    let ranks = try SortRanks.ranks(of: column, by: rule, reader, meter)
    state.withLock { state in
      if state.byteCount + 4 * ranks.count > bytesMax { state.ranks = [:] }
      state.ranks[rule] = ranks
    }
    return ranks
  }

  private func column(
    _ pointer: JSONPointer, of items: some Collection<Int>, _ meter: WorkMeter,
    _ json: (Int) -> ArraySlice<UInt8>?
  ) throws(WorkStop) -> ItemColumn? {
    if let known = state.withLock({ $0.columns[pointer] }) { return known }
    guard let column = try ItemColumn(pointer, of: items, meter, json) else { return nil }
    state.withLock { state in
      if state.byteCount + column.byteCount > bytesMax { state.columns = [:] }
      state.columns[pointer] = column
    }
    return column
  }
}
