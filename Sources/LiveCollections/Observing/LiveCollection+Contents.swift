// The contents of a collection as a sequence, and updates that can be waited for.

extension LiveCollection {
  /// The contents from now on, the current one first; ends when the collection is released.
  ///
  /// A reader that is slower than the updates gets the newest content only. During an update these
  /// are the contents after its batches.
  public var contents: AsyncStream<[Element]> { core.pipeline.store.contents() }
}

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content as `update(_:animated:completion:)` does, and returns when the view shows it.
  ///
  /// - Parameters:
  ///   - rawData: As for `update(_:animated:completion:)`.
  ///   - animated: Likewise.
  /// - Returns: The outcome.
  @discardableResult
  public func update(_ rawData: [Element.RawType], animated: Bool = true) async -> UpdateOutcome {
    await outcome { self.update(rawData, animated: animated, completion: $0) }
  }

  /// Appends as `append(_:animated:completion:)` does, and returns when the view shows it.
  ///
  /// - Parameters:
  ///   - rawData: As for `append(_:animated:completion:)`.
  ///   - animated: Likewise.
  /// - Returns: The outcome.
  @discardableResult
  public func append(
    _ rawData: [Element.RawType], animated: Bool = true
  ) async -> UpdateOutcome {
    await outcome { self.append(rawData, animated: animated, completion: $0) }
  }
}

extension LiveCollection {
  /// Waits for the outcome of an update of any kind.
  ///
  /// ```swift
  /// let outcome = await data.outcome { data.delete([id], completion: $0) }
  /// ```
  ///
  /// - Parameter update: Starts one update, and passes the completion on to it.
  /// - Returns: What the completion was called with.
  @discardableResult public func outcome(
    of update: (@escaping UpdateCompletion) -> Int
  ) async -> UpdateOutcome {
    await withCheckedContinuation { continuation in
      _ = update { continuation.resume(returning: $0) }
    }
  }
}
