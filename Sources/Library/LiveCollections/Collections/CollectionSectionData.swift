public import DeltaEngine

/// The sections and items that a view shows, updated from version to version.
///
/// Without a view the content changes at once; with a view, updates are queued and the view
/// performs the batches of each. Ids are unique: those of sections among the sections, those of
/// items among the items of all sections, so that an item can move to another section. Every member
/// can be used from any thread; two reads may be of two versions, so read `sections` once where
/// several values must fit each other. During an update, `sections` is what the view shows after
/// its current batch.
///
/// ```swift
/// let data = CollectionSectionData(sections)
/// data.update(newSections) { outcome in print(outcome) }
/// ```
public final class CollectionSectionData<SectionType>: LiveCollection
where SectionType: UniquelyIdentifiableSection & Sendable, SectionType.DataType: Sendable {
  let pipeline: UpdatePipeline<SectionedShape<SectionType>>

  /// The queue and the content behind the collection.
  public let core: CollectionCore<SectionType>

  @usableFromInline init(
    _ sections: [SectionType], queues: CollectionQueues,
    builder: ContentBuilder<SectionType, SectionType.RawType>,
    diff: @escaping ContentDiff<SectionType>
  ) {
    pipeline = UpdatePipeline(sections, queues: queues, building: builder.queue, diff: diff)
    core = CollectionCore(pipeline: pipeline, builder: builder)
  }
}

extension CollectionSectionData {
  /// The minimal delta between two contents; later occurrences of an id in the source are deleted.
  ///
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the target.
  @inlinable public static func delta(
    from source: [SectionType], to target: [SectionType], uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) -> Delta {
    do {
      return try Delta(from: source, to: target, uniqueness: uniqueness)
    } catch {
      guard error.side == .source else { throw error }
      return try Delta(fromRepeated: source, to: target)
    }
  }
}

extension CollectionSectionData where SectionType.RawType == SectionType {
  /// A collection that holds these sections; their ids are checked by the first update.
  ///
  /// That update deletes later occurrences of an id; `checkUniqueness()` names the first two.
  ///
  /// - Parameters:
  ///   - sections: The first content.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init(
    _ sections: [SectionType] = [], queues: CollectionQueues = .standard
  ) {
    self.init(
      sections, queues: queues, builder: .identity,
      diff: Self.contentDiff)
  }
}
