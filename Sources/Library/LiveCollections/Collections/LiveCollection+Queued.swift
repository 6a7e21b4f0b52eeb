public import DeltaEngine

// Updates that are queued and shown in a view; without a view only the content changes.

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content, once the updates before are shown.
  ///
  /// Of updates that arrive while another one is under way, only the last is shown: with B and C
  /// arriving, the view goes from A to C. The content is always the result of all updates in order,
  /// without the rejected ones.
  ///
  /// - Parameters:
  ///   - rawData: The items or sections wanted, or what the collection's factory builds them from.
  ///   - animated: Whether the view may animate the update: those that are shown together are animated
  ///     if all of them are.
  ///   - completion: Called once with the outcome, on the main actor, in the order of the calls,
  ///     when the view has shown the update. Without one, and without a `calculationDelegate`, a refusal is logged.
  /// - Returns: The update's number: from 1 for the collection's first.
  @discardableResult public func update(
    _ rawData: [Element.RawType],
    animated: Bool = true, completion: UpdateCompletion?
  ) -> Int {
    let builder = builder
    return core.pipeline.add(
      .replace { builder.build(rawData, $0) }, ignoresDataCount: false,
      isAnimated: animated, completion: completion)
  }

  /// Appends items or sections, once the updates before are shown.
  ///
  /// Each is inserted by itself, however many items there are: `dataCountAnimationThreshold` is
  /// ignored.
  ///
  /// - Parameters:
  ///   - rawData: What to append, or what the factory builds it from.
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func append(
    _ rawData: [Element.RawType],
    animated: Bool = true, completion: UpdateCompletion?
  ) -> Int {
    let builder = builder
    return core.pipeline.add(
      .change { builder.appended(rawData, to: $0) },
      ignoresDataCount: true, isAnimated: animated, completion: completion)
  }

  /// Calculates what would change if this were the content, on the calculation queue.
  ///
  /// - Parameters:
  ///   - rawData: The items or sections wanted, or what the factory builds them from.
  ///   - completion: Called on the main actor with the delta from the current content.
  public func calculateDelta(
    _ rawData: [Element.RawType],
    completion: @escaping @MainActor @Sendable (Result<Delta, DuplicateIdentifier>) -> Void
  ) {
    let builder = builder
    core.pipeline.calculateDelta({ builder.build(rawData, $0) }, completion: completion)
  }
}

extension LiveCollection {
  /// What would change if this were the content, calculated at once; nothing is changed.
  ///
  /// - Parameter rawData: The items or sections wanted, or what the factory builds them from, on
  ///   the caller's thread.
  /// - Returns: The minimal delta from the current content.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in the new content.
  /// - Complexity: As `delta(from:to:uniqueness:)`, and what the factory takes.
  public func calculateDelta(
    _ rawData: [Element.RawType]
  ) throws(DuplicateIdentifier) -> Delta {
    try delta { builder.build(rawData, $0) }
  }

  /// What would change if these items or sections were appended; as `calculateDelta(_:)`.
  public func calculateAppendDelta(
    _ rawData: [Element.RawType]
  ) throws(DuplicateIdentifier) -> Delta {
    try delta { builder.appended(rawData, to: $0) }
  }

  private func delta(to content: ([Element]) -> [Element]) throws(DuplicateIdentifier) -> Delta {
    let pipeline = core.pipeline
    let (current, _, uniqueness) = pipeline.store.current
    return try pipeline.diff(current, pipeline.finished(content(current)), uniqueness).get()
  }

  /// Builds the content again from its raw data, once the updates before are shown.
  ///
  /// For use when what a factory reads beside the raw data has changed. A section is built from its
  /// `rawData`, which must reflect edits of the section's items.
  ///
  /// - Parameters:
  ///   - animated: As for `update(_:animated:completion:)`.
  ///   - completion: As for `update(_:animated:completion:)`.
  /// - Returns: The update's number.
  @discardableResult
  public func rebuild(
    animated: Bool = true, completion: UpdateCompletion? = nil
  )
    -> Int
  {
    let builder = builder
    return core.pipeline.add(
      .change { builder.rebuild($0) }, ignoresDataCount: false,
      isAnimated: animated, completion: completion)
  }
}
