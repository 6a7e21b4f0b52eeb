/// A collection whose items may occur more than once.
///
/// ```swift
/// let data = NonUniqueCollectionData(["a", "b", "a"])
/// data.update(["b", "a"]) { outcome in print(outcome) }  // deletes the first "a"
/// ```
public typealias NonUniqueCollectionData<RawType: NonUniquelyIdentifiable & Sendable> =
  CollectionData<NonUniqueDatum<RawType>>

extension CollectionData {
  /// A collection whose items may occur more than once.
  ///
  /// - Parameters:
  ///   - rawData: The first content.
  ///   - matching: How occurrences are matched from version to version.
  ///   - section: The section of the view that shows the collection.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init<RawType: NonUniquelyIdentifiable & Sendable>(
    _ rawData: [RawType] = [], matching: OccurrenceMatching = .longestCommonOrder,
    section: Int = 0, queues: CollectionQueues = .standard
  ) where ItemType == NonUniqueDatum<RawType> {
    let builder = ContentBuilder<ItemType, RawType>.occurrences(matching)
    self.init(
      builder.build(rawData, []), section: section, queues: queues, builder: builder,
      diff: Self.contentDiff)
  }
}

extension ContentBuilder
where Raw: NonUniquelyIdentifiable & Sendable, Element == NonUniqueDatum<Raw> {
  /// Numbers the occurrences of items.
  @usableFromInline static func occurrences(_ matching: OccurrenceMatching) -> ContentBuilder {
    ContentBuilder(
      build: { raw, current in
        let numbering = OccurrenceNumbering(matching, current: [current.map(\.uniqueID)])
        return .init(raw, numbering.numbers(of: [raw.map(\.nonUniqueID)], homes: [0])[0])
      },
      buildMore: { raw, current in
        let numbering = OccurrenceNumbering(matching, current: [current.map(\.uniqueID)])
        return .init(raw, numbering.numbersOfMore([raw.map(\.nonUniqueID)])[0])
      },
      mend: matching == .longestCommonOrder ? nil : recounted)
  }

  /// Numbers all occurrences again, as after an edit that inserted one before another.
  @Sendable private static func recounted(_ edited: [Element]) -> [Element] {
    let raw = edited.map(\.rawData)
    let numbering = OccurrenceNumbering<Raw.NonUniqueIDType>(.counting, current: [])
    return .init(raw, numbering.numbers(of: [raw.map(\.nonUniqueID)], homes: [nil])[0])
  }
}

extension Array {
  /// Values with their occurrence numbers.
  init<RawType>(_ raw: [RawType], _ numbers: [Int]) where Element == NonUniqueDatum<RawType> {
    self = zip(raw, numbers).map { NonUniqueDatum($0, occurrence: $1) }
  }
}
