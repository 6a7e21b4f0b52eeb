/// A collection of sections whose items may occur more than once, in one section or in several.
public typealias NonUniqueCollectionSectionData<
  RawType: NonUniquelyIdentifiableSection & Sendable
> = CollectionSectionData<NonUniqueSectionDatum<RawType>>
where RawType.NonUniqueDataType: Sendable

extension CollectionSectionData {
  /// A collection of sections whose items may occur more than once.
  ///
  /// - Parameters:
  ///   - rawData: The first content.
  ///   - matching: How occurrences are matched from version to version.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init<RawType: NonUniquelyIdentifiableSection & Sendable>(
    _ rawData: [RawType] = [], matching: OccurrenceMatching = .longestCommonOrder,
    queues: CollectionQueues = .standard
  )
  where
    SectionType == NonUniqueSectionDatum<RawType>, RawType.NonUniqueDataType: Sendable
  {
    let builder = ContentBuilder<SectionType, RawType>.occurrences(matching)
    self.init(builder.build(rawData, []), queues: queues, builder: builder, diff: Self.contentDiff)
  }
}

extension ContentBuilder
where
  Raw: NonUniquelyIdentifiableSection & Sendable, Raw.NonUniqueDataType: Sendable,
  Element == NonUniqueSectionDatum<Raw>
{
  /// Numbers the occurrences of sections, and of items over all sections.
  @usableFromInline static func occurrences(_ matching: OccurrenceMatching) -> ContentBuilder {
    ContentBuilder(
      build: { raw, current in SectionNumbering(matching, current: current).sections(raw) },
      buildMore: { raw, current in SectionNumbering(matching, current: current).moreSections(raw) },
      mend: matching == .longestCommonOrder ? nil : recounted)
  }

  @Sendable private static func recounted(_ edited: [Element]) -> [Element] {
    SectionNumbering(.counting, current: []).recounted(edited)
  }
}

/// Gives occurrence numbers to sections and their items.
private struct SectionNumbering<RawType: NonUniquelyIdentifiableSection> {
  typealias Section = NonUniqueSectionDatum<RawType>
  typealias Item = NonUniqueDatum<RawType.NonUniqueDataType>

  private let sectionNumbering: OccurrenceNumbering<RawType.NonUniqueIDType>
  private let itemNumbering: OccurrenceNumbering<RawType.NonUniqueDataType.NonUniqueIDType>
  private let current: [Section]

  init(_ matching: OccurrenceMatching, current: [Section]) {
    self.current = current
    sectionNumbering = OccurrenceNumbering(matching, current: [current.map(\.uniqueID)])
    itemNumbering = OccurrenceNumbering(matching, current: current.map { $0.items.map(\.uniqueID) })
  }

  func sections(_ raw: [RawType]) -> [Section] {
    let numbers = sectionNumbering.numbers(of: [raw.map(\.nonUniqueID)], homes: [0])[0]
    let homes = homes(
      of: zip(raw, numbers).map { OccurrenceID(id: $0.nonUniqueID, occurrence: $1) })
    let itemNumbers = itemNumbering.numbers(
      of: raw.map { $0.items.map(\.nonUniqueID) }, homes: homes)
    return joined(raw, numbers, itemNumbers)
  }

  func moreSections(_ raw: [RawType]) -> [Section] {
    joined(
      raw, sectionNumbering.numbersOfMore([raw.map(\.nonUniqueID)])[0],
      itemNumbering.numbersOfMore(raw.map { $0.items.map(\.nonUniqueID) }))
  }

  /// Numbers all occurrences again, as after an edit that inserted one before another.
  func recounted(_ edited: [Section]) -> [Section] {
    let raw = edited.map(\.rawData)
    let numbers = sectionNumbering.numbers(of: [raw.map(\.nonUniqueID)], homes: [nil])[0]
    let itemNumbers = itemNumbering.numbers(
      of: edited.map { $0.items.map(\.uniqueID.id) }, homes: edited.map { _ in nil })
    return edited.indices.map { index in
      Section(
        raw[index], occurrence: numbers[index],
        items: [Item](edited[index].items.map(\.rawData), itemNumbers[index]))
    }
  }

  private func homes(of ids: [OccurrenceID<RawType.NonUniqueIDType>]) -> [Int?] {
    let places = Dictionary(
      current.enumerated().map { ($1.uniqueID, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.map { places[$0] }
  }

  private func joined(
    _ raw: [RawType], _ numbers: [Int], _ itemNumbers: [[Int]]
  ) -> [Section] {
    raw.indices.map { index in
      Section(
        raw[index], occurrence: numbers[index],
        items: [Item](raw[index].items, itemNumbers[index]))
    }
  }
}
