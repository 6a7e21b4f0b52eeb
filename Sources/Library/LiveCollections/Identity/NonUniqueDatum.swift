/// An identity among equal ones: the id and which of its occurrences.
public struct OccurrenceID<ID: Hashable>: Hashable {
  /// The id that several values may share.
  public var id: ID
  /// The number of the occurrence, from 1.
  public var occurrence: Int

  /// An occurrence of an id.
  public init(id: ID, occurrence: Int) {
    self.id = id
    self.occurrence = occurrence
  }
}

extension OccurrenceID: Sendable where ID: Sendable {}

extension OccurrenceID: CustomStringConvertible {
  /// The id alone for the first, `id#2` for the second.
  public var description: String { occurrence == 1 ? "\(id)" : "\(id)#\(occurrence)" }
}

/// One occurrence of a value that may be in a list more than once.
public struct NonUniqueDatum<RawType: NonUniquelyIdentifiable>: UniquelyIdentifiable {
  /// The value.
  public let rawData: RawType
  /// The number of the occurrence, from 1.
  public let occurrence: Int

  /// The id and the number of the occurrence.
  public var uniqueID: OccurrenceID<RawType.NonUniqueIDType> {
    OccurrenceID(id: rawData.nonUniqueID, occurrence: occurrence)
  }

  init(_ rawData: RawType, occurrence: Int) {
    self.rawData = rawData
    self.occurrence = occurrence
  }

  /// Whether the values are equal, whatever the occurrences.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawData == rhs.rawData }
}

extension NonUniqueDatum: Sendable where RawType: Sendable {}

/// One occurrence of a section.
public struct NonUniqueSectionDatum<RawType: NonUniquelyIdentifiableSection>:
  UniquelyIdentifiableSection
{
  /// The section as it was given; `items` are the ones shown.
  public let rawData: RawType
  /// The number of the occurrence, from 1.
  public let occurrence: Int
  /// The occurrences of the items.
  public var items: [NonUniqueDatum<RawType.NonUniqueDataType>]

  /// The id and the number of the occurrence.
  public var uniqueID: OccurrenceID<RawType.NonUniqueIDType> {
    OccurrenceID(id: rawData.nonUniqueID, occurrence: occurrence)
  }

  /// What the section's header shows.
  public var header: RawType.Header { rawData.header }

  init(
    _ rawData: RawType, occurrence: Int, items: [NonUniqueDatum<RawType.NonUniqueDataType>]
  ) {
    self.rawData = rawData
    self.items = items
    self.occurrence = occurrence
  }
}

extension NonUniqueSectionDatum: Sendable
where RawType: Sendable, RawType.NonUniqueDataType: Sendable {}
