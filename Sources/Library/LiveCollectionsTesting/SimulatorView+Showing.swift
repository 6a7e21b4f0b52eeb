import DeltaEngine
public import LiveCollections

extension SimulatorView {
  /// A view of a collection with sections.
  ///
  /// - Parameters:
  ///   - data: The collection; held weakly.
  ///   - comparesContents: Whether items that change must be reloaded; false where a delegate
  ///     reloads them.
  ///   - animating: Where batches complete; at once if `nil`.
  public convenience init<Section>(
    showing data: CollectionSectionData<Section>, comparesContents: Bool = true,
    animating: WorkQueue? = nil
  ) where Section.UniqueIDType: Sendable, Section.DataType.UniqueIDType: Sendable {
    let sections = StructureNumbering<Section>(comparesContents: true)
    let items = StructureNumbering<Section.DataType>(comparesContents: comparesContents)
    self.init(isDivided: false, animating: animating) { [weak data] in
      ListStructure(
        sections: (data?.sections ?? []).map { section in
          let number = sections(section)
          return ListStructure.Section(
            id: number.id, content: number.content, items: section.items.map { items($0) })
        })
    }
  }

  /// A view of collections with a section each, in this order.
  ///
  /// - Parameters:
  ///   - members: The collections; held weakly. Their `section` is set by whoever puts them
  ///     together.
  ///   - comparesContents: Whether items that change must be reloaded; false where a delegate
  ///     reloads them.
  ///   - animating: Where batches complete; at once if `nil`.
  public convenience init<Item>(
    showing members: [CollectionData<Item>], comparesContents: Bool = true,
    animating: WorkQueue? = nil
  ) where Item.UniqueIDType: Sendable {
    let sources = members.enumerated().map { (section, data) in
      let items = StructureNumbering<Item>(comparesContents: comparesContents)
      return { @Sendable [weak data] in
        ListStructure.Section(
          id: section, content: ContentHash(high: 0, low: 0),
          items: (data?.items ?? []).map { items($0) })
      }
    }
    self.init(isDivided: true, animating: animating) {
      ListStructure(sections: sources.map { $0() })
    }
  }
}
