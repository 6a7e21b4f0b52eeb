import DeltaEngine
public import Observation

/// The items of a collection as rows that are observed one by one, for SwiftUI.
///
/// A view that reads one row is drawn again when that row's item changes, and no other; one that
/// reads `rows` when rows are inserted, deleted or moved.
///
/// ```swift
/// List(list.rows) { MovieRow(row: $0) }
///   .task { await list.follow(data) }
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ObservableList<ItemType>
where ItemType: UniquelyIdentifiable & Sendable, ItemType.UniqueIDType: Sendable {
  /// The rows, in order; an item keeps its row for as long as its id is there.
  public private(set) var rows: [ObservableRow<ItemType>]

  /// A list of these items, whose ids are unique.
  public init(_ items: [ItemType] = []) { rows = items.map { ObservableRow($0) } }

  /// Shows these items, whose ids are unique.
  ///
  /// - Complexity: O(n).
  public func show(_ items: [ItemType]) {
    if rows.count == items.count, zip(rows, items).allSatisfy({ $0.id == $1.uniqueID }) {
      for (row, item) in zip(rows, items) { row.show(item) }
      return
    }
    let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    rows = items.map { item in
      guard let row = known[item.uniqueID] else { return ObservableRow(item) }
      row.show(item)
      return row
    }
  }

  /// Shows the contents of a collection until the task is cancelled.
  public func follow(_ data: CollectionData<ItemType>) async {
    for await items in data.contents { show(items) }
  }
}

/// A row of an `ObservableList`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ObservableRow<ItemType>: Identifiable
where ItemType: UniquelyIdentifiable & Sendable, ItemType.UniqueIDType: Sendable {
  /// The id of the item.
  @ObservationIgnored public nonisolated let id: ItemType.UniqueIDType
  /// What the row shows.
  public private(set) var item: ItemType

  init(_ item: ItemType) {
    self.item = item
    id = item.uniqueID
  }

  func show(_ new: ItemType) {
    if !item.hasSameContent(as: new) { item = new }
  }
}
