public import Observation

/// The rows of a ``WindowedList`` as SwiftUI shows them.
///
/// ```swift
/// List(window.rows) { row in
///   Text(row.value?.title ?? "…")
///     .onAppear { window.appear(row) }
///     .onDisappear { window.disappear(row) }
/// }
/// .task { try? await window.follow(list) }
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ObservableWindow<Row: Decodable> {
  /// All rows; an item keeps its identity wherever its row is.
  public private(set) var rows = WindowedRows<Row>()
  @ObservationIgnored private var onScreen: Set<WindowedRow<Row>.ID> = []
  @ObservationIgnored private weak var list: WindowedList<Row>?

  /// Creates a list that shows nothing.
  public init() {}

  /// Shows a list, which runs until the task is cancelled.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - report: Called with events other than changes.
  /// - Throws: As ``WindowedList/run(_:)``.
  public func follow(
    _ list: WindowedList<Row>,
    report: @escaping @MainActor @Sendable (FeedEvent<Int>) async -> Void = { _ in }
  ) async throws {
    self.list = list
    list.onChange = { [weak self, weak list] in
      if let list { self?.rows = WindowedRows(list) }
    }
    rows = WindowedRows(list)
    try await list.run { event in
      if case .interrupted = event { await report(event) }
    }
  }

  /// Tells that a row comes on screen.
  public func appear(_ row: WindowedRow<Row>) {
    onScreen.insert(row.id)
    see()
  }

  /// Tells that a row leaves the screen.
  public func disappear(_ row: WindowedRow<Row>) {
    onScreen.remove(row.id)
    see()
  }

  private func see() {
    guard let list else { return }
    let visible = onScreen.compactMap { id in
      switch id {
      case .item(let id): list.index(of: id)
      case .placeholder(let index): index
      }
    }
    if let first = visible.min(), let last = visible.max() { list.visible(first..<last + 1) }
  }
}

/// The rows of a list, of which those of a window are known.
public struct WindowedRows<Row: Decodable>: RandomAccessCollection {
  /// The number of rows.
  public private(set) var endIndex = 0
  private var start = 0
  private var known: [WindowedRow<Row>] = []

  init() {}

  @MainActor init(_ list: WindowedList<Row>) {
    (endIndex, start) = (list.count, list.knownRows.lowerBound)
    known = list.knownRows.map { index in
      WindowedRow(
        id: list.id(at: index).map { .item($0) } ?? .placeholder(index), index: index,
        value: list[index])
    }
  }

  /// The first row's index, 0.
  public var startIndex: Int { 0 }

  /// A row.
  public subscript(index: Int) -> WindowedRow<Row> {
    precondition(indices.contains(index), "no row \(index) of \(endIndex)")
    return known.indices.contains(index - start)
      ? known[index - start] : WindowedRow(id: .placeholder(index), index: index, value: nil)
  }
}

/// A row of a list.
public struct WindowedRow<Row>: Identifiable {
  /// What a row is told apart by.
  public enum ID: Hashable, Sendable {
    /// The id of an item, wherever its row is.
    case item(ReplicaID)
    /// The index of a row whose item is not known.
    case placeholder(Int)
  }

  /// What the row is told apart by.
  public let id: ID
  /// The index.
  public let index: Int
  /// What the row shows; `nil` for a placeholder, or an item that cannot be decoded.
  public let value: Row?
}
