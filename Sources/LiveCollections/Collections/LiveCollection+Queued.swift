public import DeltaEngine

// Updates that wait their turn and are shown in a view; without a view the content just changes.

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content, once the updates before are shown.
  ///
  /// Of updates that come while another one is under way, the last one counts: from A, with B and C
  /// coming, the view is led from A to C. The content is always what the updates make of it one
  /// after the other, those that are rejected left out.
  ///
  /// - Parameters:
  ///   - rawData: The items or sections wanted, or what the collection's factory builds them from.
  ///   - completion: Called once, on the delivery queue, with what became of the update, in the order of
  ///     the calls, and when the view has shown it.
  /// - Returns: The update's number: from 1 for the collection's first.
  @discardableResult public func update(
    _ rawData: [Element.RawType], completion: (@Sendable (UpdateOutcome) -> Void)?
  ) -> Int {
    let builder = builder
    return core.pipeline.add(
      .replace { builder.build(rawData, $0) }, ignoresDataCount: false, completion: completion)
  }

  /// Adds items, or sections, behind those held, once the updates before are shown.
  ///
  /// What is added is always shown one by one, however many items there are already.
  ///
  /// - Parameters:
  ///   - rawData: What to add, or what the factory builds them from.
  ///   - completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult public func append(
    _ rawData: [Element.RawType], completion: (@Sendable (UpdateOutcome) -> Void)?
  ) -> Int {
    let builder = builder
    return core.pipeline.add(
      .edit { Edited(builder.mend($0 + builder.buildMore(rawData, $0))) },
      ignoresDataCount: true, completion: completion)
  }

  /// Replaces the content as `update(_:completion:)` does, and waits until the view shows it.
  ///
  /// - Parameter rawData: As for `update(_:completion:)`.
  /// - Returns: What became of the update.
  @discardableResult public func show(_ rawData: [Element.RawType]) async -> UpdateOutcome {
    await withCheckedContinuation { continuation in
      update(rawData) { continuation.resume(returning: $0) }
    }
  }

  /// Calculates what would change if this were the content, on the calculation queue.
  ///
  /// - Parameters:
  ///   - rawData: The items or sections wanted, or what the factory builds them from.
  ///   - completion: Gets, on the delivery queue, the delta from the content that was held.
  public func calculateDelta(
    _ rawData: [Element.RawType],
    completion: @escaping @Sendable (Result<Delta, DuplicateIdentifier>) -> Void
  ) {
    let builder = builder
    core.pipeline.calculateDelta({ builder.build(rawData, $0) }, completion: completion)
  }
}

extension LiveCollection {
  /// What would change if this were the content, calculated at once; nothing is changed.
  ///
  /// - Parameter rawData: The items or sections wanted, or what the factory builds them from: here
  ///   and now, not on the factory's own queue.
  /// - Returns: The minimal delta from the content held.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions.
  /// - Complexity: As `calculateDelta(_:)`, and what the factory takes.
  public func calculateDeltaSync(
    _ rawData: [Element.RawType]
  ) throws(DuplicateIdentifier) -> Delta {
    let pipeline = core.pipeline
    let held = pipeline.store.content
    return try pipeline.diff(held, pipeline.finished(builder.build(rawData, held)))
  }

  /// Builds the content held anew from its raw data, once the updates before are shown.
  ///
  /// For when what a factory knows beside the raw data has changed. A section is built from its
  /// `rawData`: where items of built sections are edited, `rawData` has to follow them.
  ///
  /// - Parameter completion: As for `update(_:completion:)`.
  /// - Returns: The update's number.
  @discardableResult
  public func rebuild(completion: (@Sendable (UpdateOutcome) -> Void)? = nil) -> Int {
    let builder = builder
    return core.pipeline.add(
      .edit { Edited(builder.rebuild($0)) }, ignoresDataCount: false,
      completion: completion)
  }
}
