extension CollectionData {
  /// A collection whose items a factory builds.
  ///
  /// - Parameters:
  ///   - dataFactory: The factory; builds the first content at once.
  ///   - rawData: What to build the first content from.
  ///   - section: The section of the view that shows the collection.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init<Factory: UniquelyIdentifiableDataFactory>(
    dataFactory: Factory, rawData: [ItemType.RawType] = [], section: Int = 0,
    queues: CollectionQueues = .standard
  ) where Factory.UniquelyIdentifiableType == ItemType {
    let builder = ContentBuilder<ItemType, ItemType.RawType>(dataFactory)
    self.init(
      builder.build(rawData, []), section: section, queues: queues, builder: builder,
      diff: Self.contentDiff)
  }
}

extension CollectionSectionData {
  /// A collection whose sections a factory builds.
  ///
  /// - Parameters:
  ///   - dataFactory: The factory; builds the first content at once.
  ///   - rawData: What to build the first content from.
  ///   - queues: Where the collection works and where it calls its view.
  @inlinable public convenience init<Factory: UniquelyIdentifiableDataFactory>(
    dataFactory: Factory, rawData: [SectionType.RawType] = [],
    queues: CollectionQueues = .standard
  ) where Factory.UniquelyIdentifiableType == SectionType {
    let builder = ContentBuilder<SectionType, SectionType.RawType>(dataFactory)
    self.init(builder.build(rawData, []), queues: queues, builder: builder, diff: Self.contentDiff)
  }
}
