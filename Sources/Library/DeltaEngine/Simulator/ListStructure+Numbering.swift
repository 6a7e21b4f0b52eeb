/// Two versions of any list, with ids and contents replaced by consistent numbers.
@usableFromInline struct StructurePair {
  @usableFromInline var source: ListStructure
  @usableFromInline var target: ListStructure

  /// Numbers ids in order of appearance, and contents such that they are equal exactly if the
  /// elements say so.
  @inlinable init<Section: DiffableSection>(from source: [Section], to target: [Section]) {
    var sections = Numbering<Section>()
    var items = Numbering<Section.Item>()
    self.source = ListStructure(
      sections: source.map { section in
        let number = sections.source(section)
        return ListStructure.Section(
          id: number.id, content: number.content,
          items: section.items.map { items.source($0) })
      })
    self.target = ListStructure(
      sections: target.map { section in
        let number = sections.target(section)
        return ListStructure.Section(
          id: number.id, content: number.content,
          items: section.items.map { items.target($0) })
      })
  }
}

/// Assigns numbers to the ids of one namespace.
@usableFromInline struct Numbering<Element: Diffable> {
  @usableFromInline var numbers: [Element.DiffID: (id: Int, element: Element)] = [:]

  @inlinable init() {}

  @inlinable mutating func source(_ element: Element) -> ListStructure.Item {
    let id = numbers[element.diffID]?.id ?? numbers.count
    numbers[element.diffID] = (id, element)
    return ListStructure.Item(id: id, content: ContentHash(high: 0, low: 0))
  }

  @inlinable mutating func target(_ element: Element) -> ListStructure.Item {
    guard let known = numbers[element.diffID] else {
      let id = numbers.count
      numbers[element.diffID] = (id, element)
      return ListStructure.Item(id: id, content: ContentHash(high: 0, low: 0))
    }
    let isSame = element.hasSameContent(as: known.element)
    return ListStructure.Item(id: known.id, content: ContentHash(high: 0, low: isSame ? 0 : 1))
  }
}
