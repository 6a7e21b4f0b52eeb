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
  /// The items as the only section of a list.
  @ObservationIgnored private let list: ObservableSections<OnlySection<ItemType>>

  /// The rows, in order; an item keeps its row for as long as its id is there.
  public var rows: [ObservableRow<ItemType>] { list.sections[0].rows }

  /// A list of these items, whose ids are unique.
  public init(_ items: [ItemType] = []) { list = ObservableSections(FlatShape.sections(items)) }

  /// Shows these items, whose ids are unique.
  ///
  /// - Complexity: O(n).
  public func show(_ items: [ItemType]) { list.show(FlatShape.sections(items)) }

  /// Shows the contents of a collection until the task is cancelled.
  public func follow(_ data: CollectionData<ItemType>) async {
    for await items in data.contents { show(items) }
  }
}
