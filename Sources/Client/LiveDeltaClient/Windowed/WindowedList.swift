import DeltaEngine
public import Foundation
public import LiveCollections

/// A live list of any length, of which only a window around the visible rows is held.
///
/// Each row is an item, or a placeholder until the item is known. Tell the list which rows are visible; it asks for
/// those and some around them, for one window at a time, and when the user scrolls fast, for where that stops. A
/// window that moves is a delta from the one before, with what changed meanwhile. The view is led by batches that
/// are legal for list views: what is known stays, moves or changes, placeholders become rows, and the first visible
/// row stays where it is while others come and go before it.
///
/// ```swift
/// let list = WindowedList<Message>(client, archive, edge: .start)
/// list.show(in: view)  // whose data source answers from `count` and `list[path.row]`
/// try await list.run()
/// ```
///
/// The address's view says which items there are, and in which order; they are one section. Nothing is kept in a
/// file; `start` begins where the user was.
@MainActor public final class WindowedList<Row: Decodable> {
  /// The collection, and what is shown of it.
  public let collection: CollectionAddress
  /// The version that is shown; `nil` without a collection.
  public private(set) var version: String?
  /// The number of rows.
  public var count: Int { content.total }
  /// The rows whose items are known.
  public var knownRows: Range<Int> { content.known }
  private(set) var content = WindowedContent() { didSet { onChange?() } }
  /// Called whenever the content was replaced.
  var onChange: (@MainActor () -> Void)?
  private let feed: SyncFeed
  private let rows: ItemDecoder<Row>
  private var view: (any DeltaUpdatableView)?
  private var steering: WindowSteering
  private let animatedChangesMax: Int
  /// The window to ask for next, and who passes that on.
  private var wish: ListWindow?
  private var wishing: Task<Void, Never>?

  /// Creates a list that is empty until it runs.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - collection: The collection; its view may have conditions, members and an order.
  ///   - start: Where the list begins.
  ///   - edge: The end at which a user who looks at it goes on seeing what comes there; elsewhere the first visible
  ///     row keeps its place.
  ///   - pageRows: The number of rows to begin with: about those that fit on a screen.
  ///   - screensAround: How many screens of rows are held before and behind the visible ones.
  ///   - animatedChangesMax: The largest number of inserted, deleted and moved rows that are animated at once.
  ///   - options: How to follow the collection; without files.
  ///   - decoder: Decodes items, when their rows are shown.
  ///   - report: Called once with each item that cannot be decoded, whose row has no value; `nil` to log the first.
  public init(
    _ client: DeltaClient, _ collection: CollectionAddress, start: WindowedListStart = .start,
    edge: WindowedListEdge? = .start, pageRows: Int = 50, screensAround: Int = 2,
    animatedChangesMax: Int = 200, options: FeedOptions = FeedOptions(),
    decoder: JSONDecoder = JSONDecoder(),
    report: ((ReplicaItem, any Error) -> Void)? = nil
  ) {
    steering = WindowSteering(
      start, edge: edge, pageRows: pageRows, screensAround: max(1, screensAround))
    var (collection, options) = (collection, options)
    var shown = collection.view ?? CollectionView()
    (shown.sections, shown.window) = ("flat", steering.window.text)
    collection.view = shown
    (options.file, options.edits) = (nil, nil)
    self.collection = collection
    self.animatedChangesMax = animatedChangesMax
    feed = SyncFeed(client, [collection], options: options)
    rows = ItemDecoder(decoder: decoder, report: report)
  }

  /// What a row shows; `nil` for a placeholder, or an item that cannot be decoded.
  public subscript(index: Int) -> Row? { content[index].flatMap(rows.value) }

  /// The id of a row's item; `nil` for a placeholder.
  public func id(at index: Int) -> ReplicaID? { content[index]?.id }

  /// The row of an item; `nil` if it is not known.
  public func index(of id: ReplicaID) -> Int? { content.index(of: id) }

  /// Shows the list in a view, whose section 0 it is.
  ///
  /// - Parameter view: The view, which is reloaded.
  public func show(in view: any DeltaUpdatableView) {
    self.view = view
    view.reloadData()
  }

  /// Tells which rows the user sees; for each of them that comes on screen, or when scrolling ends.
  public func visible(_ rows: Range<Int>) {
    steering.see(rows)
    if version != nil && !steering.isJumping { steer() }
  }

  /// Shows what there is and each change, until the task is cancelled.
  ///
  /// - Parameter report: Called with the number of rows after each change, when the service cannot be reached, and
  ///   with `malformed` if no batch leads to an answer, for which the view is reloaded.
  /// - Throws: `CancellationError` when the task is cancelled, or a `ClientError` that trying again does not mend.
  public func run(
    _ report: @escaping @MainActor @Sendable (FeedEvent<Int>) async -> Void = { _ in }
  ) async throws {
    try await feed.run { event in
      switch event {
      case .change(let changes):
        for change in changes.values {
          guard let fault = await self.take(change) else { continue }
          await report(.interrupted(.malformed("\(fault)"), retryAfter: .zero))
        }
        await report(.change(self.count))
      case .interrupted(let error, let pause):
        await report(.interrupted(error, retryAfter: pause))
      case .refused: break
      }
    }
  }

  /// Asks for what is new, and returns when it is shown: for pull to refresh.
  ///
  /// - Throws: `ClientError`; the list itself goes on trying.
  public func refresh() async throws(ClientError) { try await feed.refresh() }

  /// Goes on at once, as ``SyncFeed/wake()``.
  public func wake() async { await feed.wake() }

  /// Goes to an item, while the list runs: the view, if it scrolls, has its row at the top.
  ///
  /// - Returns: The item's row; `nil` if the list does not have the item.
  /// - Throws: `ClientError`.
  @discardableResult
  public func jump(to id: ReplicaID) async throws(ClientError) -> Int? {
    if let row = content.index(of: id) {
      arrive(at: row)
      return row
    }
    try await jump(asking: steering.jump(to: id))
    let row = content.index(of: id)
    arrive(at: row ?? steering.visible.lowerBound)
    return row
  }

  /// Goes to a row, while the list runs: the view, if it scrolls, has it at the top.
  ///
  /// - Throws: `ClientError`.
  public func jump(to row: Int) async throws(ClientError) {
    steering.jump(to: row)
    if let window = steering.next(content) { try await jump(asking: window) }
    arrive(at: steering.visible.lowerBound)
  }

  private func jump(asking window: ListWindow) async throws(ClientError) {
    await wishing?.value
    await feed.setWindow(window.text)
    do throws(ClientError) {
      try await feed.poll()
    } catch {
      steering.arrive()
      throw error
    }
  }

  private func arrive(at row: Int) {
    steering.arrive()
    steering.follow(to: row)
    (view as? any ScrollingListView)?.scroll(to: ScrolledRow(item: row))
    steer()
  }
}

// MARK: - Changes

extension WindowedList {
  /// Shows a change of the replica, which the feed does not change meanwhile.
  ///
  /// - Returns: Why no batch leads to it, if none does.
  private func take(_ change: ReplicaChange) async -> DuplicateIdentifier? {
    let replica = await feed.replica
    var gone: Set<ReplicaID> = []
    if case .updated(let update) = change {
      gone = Set(update.delta.changes.deletedItems.compactMap { update.source.item(at: $0)?.id })
    }
    let isFirst = version == nil
    version = replica.version
    let target = WindowedContent(replica)
    var fault: DuplicateIdentifier?
    if content.total == 0 {
      reload(target)
      if isFirst { begin() }
    } else {
      do throws(DuplicateIdentifier) {
        try await show(target, gone)
      } catch {
        fault = error
        reload(target)
      }
    }
    if let window = steering.note(content) { await feed.hold(window.text) }
    if !steering.isJumping { steer() }
    return fault
  }

  private func show(
    _ target: WindowedContent, _ gone: Set<ReplicaID>
  ) async throws(DuplicateIdentifier) {
    let delta = try content.delta(to: target, gone: gone)
    let place = KeptRow(view as? any ScrollingListView, steering, content.total, delta)
    follow(delta, to: target.total)
    guard let view, !delta.isEmpty else { return content = target }
    let changes = delta.changes
    let count = changes.count - changes.reloadedItems.count
    await withCheckedContinuation { continuation in
      view.perform(
        delta.steps, animations: count <= animatedChangesMax ? BatchAnimations() : .none
      ) {
        self.content = target
      } didPerformBatch: {
        place?.keep()
      } completion: {
        place?.keepAtLast()
        continuation.resume()
      }
    }
  }

  private func reload(_ target: WindowedContent) {
    content = target
    view?.reloadData()
  }

  /// Has the list, and a view that scrolls, begin where they are to.
  private func begin() {
    steering.arrive()
    let view = view as? any ScrollingListView
    switch steering.window {
    case .first: break
    case .last: view?.scrollToEnd()
    case .at: view?.scroll(to: ScrolledRow(item: steering.visible.lowerBound))
    case .around(let id, _, _):
      let row = content.index(of: id) ?? content.start
      steering.follow(to: row)
      view?.scroll(to: ScrolledRow(item: row))
    }
  }

  /// Follows the rows that the user sees.
  private func follow(_ delta: Delta, to total: Int) {
    guard !steering.isJumping else { return }
    if steering.isAtEdge(content.total) {
      if steering.edge == .end { steering.follow(to: max(0, total - steering.visible.count)) }
    } else if let row = delta.row(following: steering.visible.lowerBound, content.total) {
      steering.follow(to: row)
    }
  }

  /// Asks for what is missing around the rows that the user sees.
  private func steer() {
    guard let window = steering.next(content) else { return }
    wish = window
    guard wishing == nil else { return }
    wishing = Task {
      while let window = wish {
        wish = nil
        await feed.setWindow(window.text)
      }
      wishing = nil
    }
  }
}
