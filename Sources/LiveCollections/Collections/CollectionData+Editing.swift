import DeltaEngine

// Edits that are queued like updates. Each is applied to the result of those before it; one that
// cannot be made is rejected alone, with the reason.

extension CollectionData {
  /// Edits the items.
  ///
  /// - Parameters:
  ///   - body: Makes the edits; if it throws, none of them is made. Runs on the calculation queue:
  ///     once; twice where another edit is rejected; not at all where a later update replaces the
  ///     content.
  ///   - completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func edit(
    _ body: @escaping @Sendable (inout EditableItems<ItemType>) throws(EditError) -> Void,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let builder = builder
    let change: @Sendable ([ItemType]) throws(EditError) -> Edited<ItemType> = {
      current throws(EditError) in
      var items = EditableItems(unchecked: current)
      try body(&items)
      return items.edited(builder.mend)
    }
    return pipeline.add(.edit(change), completion: completion)
  }

  /// Deletes items.
  @discardableResult public func remove(
    _ ids: [ItemType.UniqueIDType], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    edit({ items throws(EditError) in try items.remove(ids) }, completion: completion)
  }

  /// Moves an item.
  @discardableResult public func move(
    _ id: ItemType.UniqueIDType, to position: ListPosition<ItemType.UniqueIDType>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    edit({ items throws(EditError) in try items.move(id, to: position) }, completion: completion)
  }

  /// Reloads items although they are equal, also where a later update that is shown with this one
  /// keeps them.
  @discardableResult public func reload(
    _ ids: [ItemType.UniqueIDType], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let change = Operation<ItemType>.Change.reload { current throws(EditError) in
      var items = EditableItems(unchecked: current)
      try items.reload(ids)
    } find: {
      ReloadOverrides(of: Set(ids), in: $0)
    }
    return pipeline.add(change, completion: completion)
  }
}

extension CollectionData where ItemType.RawType: Sendable {
  /// Inserts items, in their order.
  ///
  /// - Parameters:
  ///   - rawData: The items to insert, or what the collection's factory builds them from.
  ///   - position: Where, among the items when the edit is applied.
  ///   - completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func insert(
    _ rawData: [ItemType.RawType], at position: ListPosition<ItemType.UniqueIDType>,
    completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let builder = builder
    return edit(
      { items throws(EditError) in
        try items.insert(builder.buildMore(rawData, items.items), at: position)
      }, completion: completion)
  }

  /// Inserts items at the start.
  @discardableResult public func prepend(
    _ rawData: [ItemType.RawType], completion: (@Sendable (UpdateOutcome) -> Void)? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    insert(rawData, at: .first, completion: completion)
  }
}

extension EditableItems where ItemType: Sendable, ItemType.UniqueIDType: Sendable {
  /// The edited content, and what the edits want reloaded.
  fileprivate func edited(_ mend: ([ItemType]) -> [ItemType]) -> Edited<ItemType> {
    if reloads.isEmpty { return Edited(mend(items)) }
    return Edited(mend(items)) { [reloads] in ReloadOverrides(of: reloads, in: $0) }
  }
}
