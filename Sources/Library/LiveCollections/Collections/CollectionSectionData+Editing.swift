import DeltaEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Edits that are queued like updates. Each is applied to the result of those before it; one that
// cannot be made is rejected alone, with the reason.

extension CollectionSectionData {
  /// The type of the sections' ids.
  public typealias SectionID = SectionType.UniqueIDType
  /// The type of the items' ids.
  public typealias ItemID = SectionType.DataType.UniqueIDType
}

extension CollectionSectionData
where SectionType.UniqueIDType: Sendable, SectionType.DataType.UniqueIDType: Sendable {
  /// Edits the sections and items.
  ///
  /// - Parameters:
  ///   - body: Makes the edits; if it throws, none of them is made. Runs on the calculation queue:
  ///     once; twice where another edit is rejected; not at all where a later update replaces the
  ///     content.
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func edit(
    _ body: @escaping @Sendable (inout EditableSections<SectionType>) throws -> Void,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: false, body, animated, completion)
  }

  private func edit(
    isAtomic: Bool, ignoresDataCount: Bool = false,
    _ body: @escaping @Sendable (inout EditableSections<SectionType>) throws -> Void,
    _ animated: Bool, _ completion: UpdateCompletion?
  ) -> Int {
    let builder = builder
    let change = Operation<SectionType>.Change.edit { draft in
      let result = draft.edit(isAtomic: isAtomic, body) { $0.takeReloads() }
      builder.mend(&draft)
      return result
    }
    return pipeline.add(
      change, ignoresDataCount: ignoresDataCount, isAnimated: animated, completion: completion)
  }

  /// Inserts items, in their order.
  @discardableResult public func insertItems(
    _ items: [SectionType.DataType], at position: ItemPosition<SectionID, ItemID>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: true, { try $0.insertItems(items, at: position) }, animated, completion)
  }

  /// Deletes items.
  @discardableResult public func deleteItems(
    _ ids: [ItemID], animated: Bool = true,
    completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: true, { try $0.deleteItems(ids) }, animated, completion)
  }

  /// Moves an item, in its section or to another.
  @discardableResult public func moveItem(
    _ id: ItemID, to position: ItemPosition<SectionID, ItemID>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: true, { try $0.moveItem(id, to: position) }, animated, completion)
  }

  /// Takes over a move that the view shows already, as after the user has dragged a row.
  ///
  /// As `CollectionData.takeOverMove(from:to:)`: the view is told nothing, and while an update is
  /// under way it is reloaded without the move, which is queued.
  ///
  /// - Parameters:
  ///   - source: The item's place.
  ///   - target: The place that it has in the view now.
  /// - Returns: Whether the content is what the view shows.
  @MainActor @discardableResult
  public func takeOverMove(from source: IndexPath, to target: IndexPath) -> Bool {
    let item = self[source]
    let section = self[target[0]].uniqueID
    let isDone = pipeline.takeOver { content in
      var content = content
      content[source[0]].items.remove(at: source[1])
      content[target[0]].items.insert(item, at: target[1])
      return content
    }
    if isDone { return true }
    pipeline.settings.view?.reloadData()
    moveItem(item.uniqueID, to: .at(target[1], in: section))
    return false
  }

  /// Reloads items although they are equal, also where a later update that is shown with this one
  /// keeps them.
  @discardableResult public func reloadItems(
    _ ids: [ItemID], animated: Bool = true,
    completion: UpdateCompletion? = nil
  ) -> Int {
    reload(ids, .reload, animated, completion)
  }

  /// As `reloadItems(_:animated:completion:)`, in the cells that the items have.
  @discardableResult public func reconfigureItems(
    _ ids: [ItemID], animated: Bool = true,
    completion: UpdateCompletion? = nil
  ) -> Int {
    reload(ids, .reconfigure, animated, completion)
  }

  private func reload(
    _ ids: [ItemID], _ style: ItemReloadStyle, _ animated: Bool,
    _ completion: UpdateCompletion?
  ) -> Int {
    let change = Operation<SectionType>.Change.reload { draft in
      draft.edit { (list: inout EditableSections<SectionType>) in
        try list.checkPresence(ofItems: ids)
      }
    } find: {
      ReloadOverrides(ofItems: .init(ids, style), ofSections: [], in: $0)
    }
    return pipeline.add(change, isAnimated: animated, completion: completion)
  }

  /// Deletes sections, with their items.
  @discardableResult public func deleteSections(
    _ ids: [SectionID], animated: Bool = true,
    completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: true, { try $0.deleteSections(ids) }, animated, completion)
  }

  /// Moves a section, with its items.
  @discardableResult public func moveSection(
    _ id: SectionID, to position: ListPosition<SectionID>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    edit(isAtomic: true, { try $0.moveSection(id, to: position) }, animated, completion)
  }

  /// Reloads sections although they are equal, also where a later update that is shown with this
  /// one keeps them.
  @discardableResult public func reloadSections(
    _ ids: [SectionID], animated: Bool = true,
    completion: UpdateCompletion? = nil
  ) -> Int {
    let change = Operation<SectionType>.Change.reload { draft in
      draft.edit { (list: inout EditableSections<SectionType>) in
        try list.checkPresence(ofSections: ids)
      }
    } find: {
      ReloadOverrides(ofItems: [:], ofSections: Set(ids), in: $0)
    }
    return pipeline.add(change, isAnimated: animated, completion: completion)
  }
}

extension CollectionSectionData
where
  SectionType.RawType: Sendable, SectionType.UniqueIDType: Sendable,
  SectionType.DataType.UniqueIDType: Sendable
{
  /// Inserts sections with their items, in their order.
  ///
  /// - Parameters:
  ///   - rawData: The sections to insert, or what the collection's factory builds them from.
  ///   - position: Where, among the sections when the edit is applied.
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func insertSections(
    _ rawData: [SectionType.RawType], at position: ListPosition<SectionID>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    let builder = builder
    return edit(
      isAtomic: true,
      { list in
        let new = builder.buildMore(rawData, list.sections)
        try list.insertSections(new, at: position)
      }, animated, completion)
  }

  /// Inserts sections at the start.
  @discardableResult public func prepend(
    _ rawData: [SectionType.RawType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    insertSections(rawData, at: .first, animated: animated, completion: completion)
  }

  /// Replaces the headers and items that are there, in their places, and appends the others, each item at the end of
  /// its section: for pages that may overlap.
  ///
  /// `dataCountAnimationThreshold` is ignored, as for `append`.
  @discardableResult public func upsert(
    _ rawData: [SectionType.RawType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    let builder = builder
    return edit(
      isAtomic: true, ignoresDataCount: true,
      { list in try list.upsertSections(builder.buildMore(rawData, list.sections)) }, animated,
      completion)
  }
}
