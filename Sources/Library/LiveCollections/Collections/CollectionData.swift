public import DeltaEngine

/// The items that one section of a view shows, updated from version to version.
///
/// Without a view the content changes at once; with a view, updates are queued and the view
/// performs the batches of each. Ids are unique among the items. Every member can be used from any
/// thread; two reads may be of two versions, so read `items` once where several values must fit
/// each other. During an update, `items` is what the view shows after its current batch.
///
/// ```swift
/// let data = CollectionData(movies)
/// data.view = table
/// data.update(newMovies) { outcome in print(outcome) }
/// ```
public final class CollectionData<ItemType>: LiveCollection
where ItemType: UniquelyIdentifiable & Sendable {
  let pipeline: UpdatePipeline<FlatShape<ItemType>>

  /// The queue and the content behind the collection.
  public let core: CollectionCore<ItemType>

  @usableFromInline init(
    _ items: [ItemType], section: Int, queues: CollectionQueues,
    builder: ContentBuilder<ItemType, ItemType.RawType>,
    diff: @escaping ContentDiff<ItemType>
  ) {
    pipeline = UpdatePipeline(items, queues: queues, building: builder.queue, diff: diff)
    core = CollectionCore(pipeline: pipeline, builder: builder)
    pipeline.withSettings { $0.section = section }
  }
}

extension CollectionData {
  /// The minimal delta between two contents; later occurrences of an id in the source are deleted.
  ///
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the target.
  @inlinable public static func delta(
    from source: [ItemType], to target: [ItemType], uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) -> Delta {
    do {
      return try Delta(fromItems: source, toItems: target, uniqueness: uniqueness)
    } catch {
      guard error.side == .source else { throw error }
      return try Delta(fromRepeatedItems: source, toItems: target)
    }
  }
}

extension CollectionData where ItemType.RawType == ItemType {
  /// A collection that holds these items; their ids are checked by the first update.
  ///
  /// That update deletes later occurrences of an id; `checkUniqueness()` names the first two.
  ///
  /// - Parameters:
  ///   - items: The first content.
  ///   - section: The section of the view that shows the collection.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init(
    _ items: [ItemType] = [], section: Int = 0, queues: CollectionQueues = .standard
  ) {
    self.init(
      items, section: section, queues: queues, builder: .identity,
      diff: Self.contentDiff)
  }
}

// MARK: - Reading

extension CollectionData {
  /// The items, in order.
  public var items: [ItemType] { pipeline.store.content }

  /// The number of items.
  public var count: Int { items.count }

  /// Whether there are no items.
  public var isEmpty: Bool { items.isEmpty }

  /// The items once the update that is under way is shown.
  ///
  /// `nil` when none is under way, or it is not calculated yet.
  public var calculatingItems: [ItemType]? { pipeline.wanted }

  /// The item at an index.
  ///
  /// - Parameter index: `0..<count`; anything else is a caller's bug and traps.
  public subscript(index: Int) -> ItemType {
    let items = items
    precondition(items.indices.contains(index), "item \(index) of \(items.count)")
    return items[index]
  }

  /// The item at an index, or `nil` when there is none.
  ///
  /// For callers on another thread than the one that updates.
  public func item(at index: Int) -> ItemType? {
    let items = items
    return items.indices.contains(index) ? items[index] : nil
  }
}
