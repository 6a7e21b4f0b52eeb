// Names of before; they go with the next version.

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content, and returns when the view shows it.
  @available(*, deprecated, renamed: "update(_:animated:)")
  @discardableResult
  public func show(_ rawData: [Element.RawType], animated: Bool = true) async -> UpdateOutcome {
    await update(rawData, animated: animated)
  }

  /// Appends, and returns when the view shows it.
  @available(*, deprecated, renamed: "append(_:animated:)")
  @discardableResult
  public func show(
    appending rawData: [Element.RawType], animated: Bool = true
  ) async -> UpdateOutcome {
    await append(rawData, animated: animated)
  }
}

extension CollectionData {
  /// Deletes items.
  @available(*, deprecated, renamed: "delete(_:animated:completion:)")
  @discardableResult
  public func remove(
    _ ids: [ItemType.UniqueIDType], animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int where ItemType.UniqueIDType: Sendable {
    delete(ids, animated: animated, completion: completion)
  }
}

extension CollectionSectionData
where SectionType.UniqueIDType: Sendable, SectionType.DataType.UniqueIDType: Sendable {
  /// Deletes items.
  @available(*, deprecated, renamed: "deleteItems(_:animated:completion:)")
  @discardableResult
  public func removeItems(
    _ ids: [ItemID], animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    deleteItems(ids, animated: animated, completion: completion)
  }

  /// Deletes sections.
  @available(*, deprecated, renamed: "deleteSections(_:animated:completion:)")
  @discardableResult
  public func removeSections(
    _ ids: [SectionID], animated: Bool = true, completion: UpdateCompletion? = nil
  ) -> Int {
    deleteSections(ids, animated: animated, completion: completion)
  }
}

extension EditableItems {
  /// Deletes items.
  @available(*, deprecated, renamed: "delete(_:)")
  public mutating func remove(_ ids: some Sequence<ID>) throws(EditError) { try delete(ids) }

  /// Deletes all items.
  @available(*, deprecated, renamed: "deleteAll()")
  public mutating func removeAll() { deleteAll() }
}

extension ArrangedItems {
  /// Deletes the item at a place.
  @available(*, deprecated, renamed: "delete(section:item:)")
  @discardableResult
  public mutating func remove(section: Int, item: Int) throws(ArrangingError) -> Delta {
    try delete(section: section, item: item)
  }
}
