public import DeltaEngine
public import LiveCollections

/// An item as the engine sees it: an interned id and the hash of its content; 20 bytes.
public struct StructureItem: UniquelyIdentifiable, Hashable, Sendable {
  /// The number that stands for the id's text in the collection's `IDTable`.
  public var uniqueID: UInt32
  /// The hash of the content.
  public var content: ContentHash

  /// Puts id and content together.
  public init(uniqueID: UInt32, content: ContentHash) {
    self.uniqueID = uniqueID
    self.content = content
  }
}

/// A section as the engine sees it.
public struct StructureSection: UniquelyIdentifiableSection, Hashable, Sendable {
  /// The number that stands for the id's text.
  public var uniqueID: UInt32
  /// The hash of the section's members without its items.
  public var header: ContentHash
  /// The items, in order.
  public var items: [StructureItem]

  /// Puts a section together.
  public init(uniqueID: UInt32, header: ContentHash, items: [StructureItem]) {
    self.uniqueID = uniqueID
    self.header = header
    self.items = items
  }
}

extension [StructureSection] {
  /// The number of items in all sections.
  public var itemCount: Int { reduce(0) { $0 + $1.items.count } }

  /// For each section, the flat index of its first item.
  var firstItemIndices: [Int] {
    var first = 0
    return map { section in
      defer { first += section.items.count }
      return first
    }
  }
}

extension Delta {
  /// The first law that the strict simulator finds broken; nil when there is none.
  ///
  /// Interned ids are numbers already: the simulator takes them as they are.
  package func violation(
    from source: [StructureSection], to target: [StructureSection]
  ) -> LawViolation? {
    do {
      try Simulator.check(self, from: ListStructure(source), to: ListStructure(target))
      return nil
    } catch {
      return error
    }
  }
}

extension ListStructure {
  fileprivate init(_ sections: [StructureSection]) {
    self.init(
      sections: sections.map { section in
        ListStructure.Section(
          id: Int(section.uniqueID), content: section.header,
          items: section.items.map { ListStructure.Item(id: Int($0.uniqueID), content: $0.content) }
        )
      })
  }
}
