import DeltaEngine

/// A list of which the items of one window are known, and the number of all.
struct WindowedContent: Equatable {
  private(set) var total = 0
  /// The position of the first item that is known.
  private(set) var start = 0
  private(set) var items: [ReplicaItem] = []

  init() {}

  init(total: Int, start: Int, items: [ReplicaItem]) {
    (self.start, self.items) = (start, items)
    self.total = max(total, start + items.count)
  }

  /// Creates the list that a replica of a view has; without the numbers of a view it has all items.
  init(_ replica: CollectionReplica) {
    let items = replica.sections.flatMap(\.items)
    self.init(
      total: replica.view?.total ?? items.count, start: replica.view?.start ?? 0, items: items)
  }

  var known: Range<Int> { start..<start + items.count }

  /// The item at a position; `nil` if it is not known.
  subscript(index: Int) -> ReplicaItem? {
    known.contains(index) ? items[index - start] : nil
  }

  /// The position of an item; `nil` if it is not known.
  func index(of id: ReplicaID) -> Int? { items.firstIndex { $0.id == id }.map { start + $0 } }
}
