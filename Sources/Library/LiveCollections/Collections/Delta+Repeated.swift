public import DeltaEngine

// Deltas from a content in which ids occur more than once, as only a collection's first content can
// have: the first occurrence of an id is what the target has, the later ones are deleted.

extension Delta {
  /// The delta from a list of items of which some have one id.
  ///
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the target.
  @usableFromInline init<Item: Diffable>(
    fromRepeatedItems source: [Item], toItems target: [Item]
  ) throws(DuplicateIdentifier) {
    var counter = OccurrenceCounter<Item>()
    try self.init(
      fromItems: counter.numbered(source), toItems: target.map { Occurrence(element: $0) },
      uniqueness: .sourceChecked)
  }

  /// The delta from a list of sections of which some have one id, or items with one id.
  ///
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the target.
  @usableFromInline init<Section: DiffableSection>(
    fromRepeated source: [Section], to target: [Section]
  ) throws(DuplicateIdentifier) {
    var sections = OccurrenceCounter<Section>()
    var items = OccurrenceCounter<Section.Item>()
    try self.init(
      from: sections.numbered(source).map { section in
        OccurrenceSection(section: section, items: items.numbered(section.element.items))
      },
      to: target.map { section in
        OccurrenceSection(
          section: Occurrence(element: section),
          items: section.items.map { Occurrence(element: $0) })
      },
      uniqueness: .sourceChecked)
  }
}

/// An item or a section, and which of those with its id it is: from 1.
private struct Occurrence<Element: Diffable>: Diffable {
  var element: Element
  var number = 1

  var diffID: OccurrenceID<Element.DiffID> { OccurrenceID(id: element.diffID, occurrence: number) }
  func hasSameContent(as other: Self) -> Bool { element.hasSameContent(as: other.element) }
}

private struct OccurrenceSection<Section: DiffableSection>: DiffableSection {
  var section: Occurrence<Section>
  var items: [Occurrence<Section.Item>]

  var diffID: OccurrenceID<Section.DiffID> { section.diffID }
  func hasSameContent(as other: Self) -> Bool { section.hasSameContent(as: other.section) }
}

private struct OccurrenceCounter<Element: Diffable> {
  private var counts: [Element.DiffID: Int] = [:]

  mutating func numbered(_ elements: [Element]) -> [Occurrence<Element>] {
    elements.map { element in
      let number = counts[element.diffID, default: 0] + 1
      counts[element.diffID] = number
      return Occurrence(element: element, number: number)
    }
  }
}
