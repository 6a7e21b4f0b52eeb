public import DeltaEngine
public import LiveCollections

/// An item as the engine sees it: an interned id and the hash of its content, 20 bytes.
public struct StructureItem: UniquelyIdentifiable, Hashable, Sendable {
  /// The number of the id in the collection's `IDTable`.
  public var uniqueID: UInt32
  /// The hash of the content.
  public var content: ContentHash
}

/// A section as the engine sees it.
public struct StructureSection: UniquelyIdentifiableSection, Hashable, Sendable {
  /// The number of the id in the collection's `IDTable`.
  public var uniqueID: UInt32
  /// The hash of the section's JSON without its items.
  public var header: ContentHash
  /// The items, in order.
  public var items: [StructureItem]
}

extension [StructureSection] {
  /// The number of items in all sections.
  public var itemCount: Int { reduce(0) { $0 + $1.items.count } }

  /// The flat index of each section's first item.
  var firstItemIndices: [Int] {
    var first = 0
    return map { section in
      defer { first += section.items.count }
      return first
    }
  }
}

extension Delta {
  /// Returns the first law that the strict simulator finds violated; nil if there is none.
  ///
  /// The simulator uses the interned ids as they are.
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

extension [StructureSection] {
  var flatItems: [StructureItem] {
    if count == 1 { return self[0].items }
    return flatMap(\.items)
  }
}
