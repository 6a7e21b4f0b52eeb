import DeltaEngine

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
  ///   - completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func edit(
    _ body: @escaping @Sendable (inout EditableSections<SectionType>) throws(EditError) -> Void,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    let builder = builder
    let change: @Sendable ([SectionType]) throws(EditError) -> Edited<SectionType> = {
      current throws(EditError) in
      var list = EditableSections(unchecked: current)
      try body(&list)
      return list.edited(builder.mend)
    }
    return pipeline.add(.edit(change), completion: completion)
  }

  /// Inserts items, in their order.
  @discardableResult public func insertItems(
    _ items: [SectionType.DataType], at position: ItemPosition<SectionID, ItemID>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    edit(
      { list throws(EditError) in try list.insertItems(items, at: position) },
      completion: completion)
  }

  /// Deletes items.
  @discardableResult public func removeItems(
    _ ids: [ItemID], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    edit({ list throws(EditError) in try list.deleteItems(ids) }, completion: completion)
  }

  /// Moves an item, in its section or to another.
  @discardableResult public func moveItem(
    _ id: ItemID, to position: ItemPosition<SectionID, ItemID>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    edit(
      { list throws(EditError) in try list.moveItem(id, to: position) },
      completion: completion)
  }

  /// Reloads items although they are equal, also where a later update that is shown with this one
  /// keeps them.
  @discardableResult public func reloadItems(
    _ ids: [ItemID], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    let change = Operation<SectionType>.Change.reload { current throws(EditError) in
      var list = EditableSections(unchecked: current)
      try list.reloadItems(ids)
    } find: {
      ReloadOverrides(ofItems: Set(ids), ofSections: [], in: $0)
    }
    return pipeline.add(change, completion: completion)
  }

  /// Deletes sections, with their items.
  @discardableResult public func removeSections(
    _ ids: [SectionID], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    edit({ list throws(EditError) in try list.deleteSections(ids) }, completion: completion)
  }

  /// Moves a section, with its items.
  @discardableResult public func moveSection(
    _ id: SectionID, to position: ListPosition<SectionID>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    edit(
      { list throws(EditError) in try list.moveSection(id, to: position) },
      completion: completion)
  }

  /// Reloads sections although they are equal, also where a later update that is shown with this
  /// one keeps them.
  @discardableResult public func reloadSections(
    _ ids: [SectionID], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    let change = Operation<SectionType>.Change.reload { current throws(EditError) in
      var list = EditableSections(unchecked: current)
      try list.reloadSections(ids)
    } find: {
      ReloadOverrides(ofItems: [], ofSections: Set(ids), in: $0)
    }
    return pipeline.add(change, completion: completion)
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
  ///   - completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func insertSections(
    _ rawData: [SectionType.RawType], at position: ListPosition<SectionID>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    let builder = builder
    return edit(
      { list throws(EditError) in
        try list.insertSections(builder.buildMore(rawData, list.sections), at: position)
      }, completion: completion)
  }

  /// Inserts sections at the start.
  @discardableResult public func prepend(
    _ rawData: [SectionType.RawType], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int {
    insertSections(rawData, at: .first, completion: completion)
  }
}

extension EditableSections
where
  SectionType: Sendable, SectionType.UniqueIDType: Sendable,
  SectionType.DataType.UniqueIDType: Sendable
{
  /// The edited content, and what the edits want reloaded.
  fileprivate func edited(_ mend: ([SectionType]) -> [SectionType]) -> Edited<SectionType> {
    if itemReloads.isEmpty && sectionReloads.isEmpty { return Edited(mend(sections)) }
    return Edited(mend(sections)) { [itemReloads, sectionReloads] in
      ReloadOverrides(ofItems: itemReloads, ofSections: sectionReloads, in: $0)
    }
  }
}
