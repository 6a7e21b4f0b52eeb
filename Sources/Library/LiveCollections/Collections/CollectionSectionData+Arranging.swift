extension CollectionSectionData where SectionType.RawType == SectionType {
  /// Changes arranged items, and shows their sections: what differs is computed once, by the collection.
  ///
  /// ```swift
  /// try data.update(&songs) { songs throws(ArrangingError) in
  ///   try songs.update(upsert: new, delete: gone)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - arranged: The items; the collection shows nothing else.
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - change: Changes the items; the deltas that it gets are empty.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  /// - Throws: What `change` throws; then nothing is changed.
  @discardableResult public func update(
    _ arranged: inout ArrangedItems<SectionType>, animated: Bool = true,
    _ change: (inout ArrangedItems<SectionType>) throws(ArrangingError) -> Void,
    completion: UpdateCompletion? = nil
  ) throws(ArrangingError) -> Int {
    try arranged.withoutComparing(change)
    return update(arranged.sections, animated: animated, completion: completion)
  }
}
