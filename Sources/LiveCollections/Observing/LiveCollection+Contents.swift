// The contents of a collection as a sequence, and updates that can be waited for.

extension LiveCollection {
  /// The contents from now on, the current one first; ends when the collection is released.
  ///
  /// A reader that is slower than the updates gets the newest content only. During an update these
  /// are the contents after its batches.
  public var contents: AsyncStream<[Element]> { core.pipeline.store.contents() }
}

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content as `update(_:completion:)` does, and waits until the view shows it.
  ///
  /// - Parameter rawData: As for `update(_:completion:)`.
  /// - Returns: The outcome.
  @discardableResult public func show(_ rawData: [Element.RawType]) async -> UpdateOutcome {
    await outcome { self.update(rawData, completion: $0) }
  }

  /// Appends as `append(_:completion:)` does, and waits until the view shows it.
  ///
  /// - Parameter rawData: As for `append(_:completion:)`.
  /// - Returns: The outcome.
  @discardableResult
  public func show(appending rawData: [Element.RawType]) async -> UpdateOutcome {
    await outcome { self.append(rawData, completion: $0) }
  }
}

extension LiveCollection {
  /// Waits for the outcome of an update of any kind.
  ///
  /// ```swift
  /// let outcome = await data.outcome { data.remove([id], completion: $0) }
  /// ```
  ///
  /// - Parameter update: Starts one update, and passes the completion on to it.
  /// - Returns: What the completion was called with.
  @discardableResult public func outcome(
    of update: (@escaping @Sendable (UpdateOutcome) -> Void) -> Int
  ) async -> UpdateOutcome {
    await withCheckedContinuation { continuation in
      _ = update { continuation.resume(returning: $0) }
    }
  }
}
