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
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func edit(
    _ body: @escaping @Sendable (inout EditableItems<ItemType>) throws -> Void,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    edit(isAtomic: false, body, animated, completion)
  }

  private func edit(
    isAtomic: Bool, ignoresDataCount: Bool = false,
    _ body: @escaping @Sendable (inout EditableItems<ItemType>) throws -> Void,
    _ animated: Bool, _ completion: UpdateCompletion?
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let builder = builder
    let change = Operation<ItemType>.Change.edit { draft in
      let result = draft.edit(isAtomic: isAtomic, body) { $0.takeReloads() }
      builder.mend(&draft)
      return result
    }
    return pipeline.add(
      change, ignoresDataCount: ignoresDataCount, isAnimated: animated, completion: completion)
  }

  /// Deletes items.
  @discardableResult public func delete(
    _ ids: [ItemType.UniqueIDType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    edit(isAtomic: true, { try $0.delete(ids) }, animated, completion)
  }

  /// Moves an item.
  @discardableResult public func move(
    _ id: ItemType.UniqueIDType, to position: ListPosition<ItemType.UniqueIDType>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    edit(isAtomic: true, { try $0.move(id, to: position) }, animated, completion)
  }

  /// Takes over a move that the view shows already, as after the user has dragged a row.
  ///
  /// The view is told nothing.
  ///
  /// While an update is under way the view is reloaded without the move, which is queued as by
  /// `move(_:to:)`.
  ///
  /// - Parameters:
  ///   - source: The item's index.
  ///   - target: The index that it has in the view now; both `0..<count`.
  /// - Returns: Whether the content is what the view shows.
  @MainActor @discardableResult public func takeOverMove(from source: Int, to target: Int) -> Bool
  where ItemType.UniqueIDType: Sendable {
    let item = self[source]
    let isDone = pipeline.takeOver { content in
      var content = content
      content.remove(at: source)
      content.insert(item, at: target)
      return content
    }
    if isDone { return true }
    pipeline.settings.view?.reloadData()
    move(item.uniqueID, to: .at(target))
    return false
  }

  /// Reloads items although they are equal, also where a later update that is shown with this one
  /// keeps them.
  @discardableResult public func reload(
    _ ids: [ItemType.UniqueIDType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    reload(ids, .reload, animated, completion)
  }

  /// As `reload(_:animated:completion:)`, in the cells that the items have.
  @discardableResult public func reconfigure(
    _ ids: [ItemType.UniqueIDType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    reload(ids, .reconfigure, animated, completion)
  }

  private func reload(
    _ ids: [ItemType.UniqueIDType], _ style: ItemReloadStyle,
    _ animated: Bool, _ completion: UpdateCompletion?
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let change = Operation<ItemType>.Change.reload { draft in
      draft.edit { (items: inout EditableItems<ItemType>) in
        try items.list.checkPresence(ofItems: ids)
      }
    } find: {
      ReloadOverrides(ofItems: .init(ids, style), ofSections: [], in: FlatShape.sections($0))
    }
    return pipeline.add(change, isAnimated: animated, completion: completion)
  }
}

extension CollectionData where ItemType.RawType: Sendable {
  /// Inserts items, in their order.
  ///
  /// - Parameters:
  ///   - rawData: The items to insert, or what the collection's factory builds them from.
  ///   - position: Where, among the items when the edit is applied.
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func insert(
    _ rawData: [ItemType.RawType], at position: ListPosition<ItemType.UniqueIDType>,
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let builder = builder
    return edit(
      isAtomic: true,
      { items in
        let new = builder.buildMore(rawData, items.items)
        try items.insert(new, at: position)
      }, animated, completion)
  }

  /// Inserts items at the start.
  @discardableResult public func prepend(
    _ rawData: [ItemType.RawType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    insert(rawData, at: .first, animated: animated, completion: completion)
  }

  /// Replaces the items that are there, in their places, and appends the others: for pages that may overlap.
  ///
  /// `dataCountAnimationThreshold` is ignored, as for `append`.
  @discardableResult public func upsert(
    _ rawData: [ItemType.RawType],
    animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    let builder = builder
    return edit(
      isAtomic: true, ignoresDataCount: true,
      { items in try items.upsert(builder.buildMore(rawData, items.items)) }, animated, completion)
  }
}
