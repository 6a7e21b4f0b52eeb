// The contents of a collection as a sequence, and updates that can be waited for.

extension LiveCollection {
  /// The contents from now on, the current one first; ends when the collection is released.
  ///
  /// A reader that is slower than the updates gets the newest content only. During an update these
  /// are the contents after its batches.
  public var contents: AsyncStream<[Element]> { core.pipeline.store.contents() }
}

// In asynchronous code the compiler takes the `update` that waits; at the top level of a script it takes the one that
// does not, whatever `await` says, so that this one is not for asynchronous code at all. `show` and `enqueue` mean one
// thing everywhere.

extension LiveCollection where Element.RawType: Sendable {
  /// Replaces the content as `enqueue(_:animated:)` does, and returns when the view shows it.
  ///
  /// - Parameters:
  ///   - rawData: As for `update(_:animated:completion:)`.
  ///   - animated: Likewise.
  /// - Returns: The outcome.
  @discardableResult
  public func show(_ rawData: [Element.RawType], animated: Bool = true) async -> UpdateOutcome {
    await outcome { self.update(rawData, animated: animated, completion: $0) }
  }

  /// Appends as `enqueue(appending:animated:)` does, and returns when the view shows it.
  ///
  /// - Parameters:
  ///   - rawData: As for `append(_:animated:completion:)`.
  ///   - animated: Likewise.
  /// - Returns: The outcome.
  @discardableResult
  public func show(
    appending rawData: [Element.RawType], animated: Bool = true
  ) async -> UpdateOutcome {
    await outcome { self.append(rawData, animated: animated, completion: $0) }
  }

  /// As `update(_:animated:completion:)` without a completion; never waits, also in asynchronous code.
  @discardableResult
  public func enqueue(_ rawData: [Element.RawType], animated: Bool = true) -> Int {
    update(rawData, animated: animated, completion: nil)
  }

  /// As `append(_:animated:completion:)` without a completion; never waits, also in asynchronous code.
  @discardableResult
  public func enqueue(appending rawData: [Element.RawType], animated: Bool = true) -> Int {
    append(rawData, animated: animated, completion: nil)
  }

  /// As `enqueue(_:animated:)`, in synchronous code.
  @available(*, noasync, message: "here `await show(_:)` waits, and `enqueue(_:)` does not")
  @discardableResult
  public func update(_ rawData: [Element.RawType], animated: Bool = true) -> Int {
    update(rawData, animated: animated, completion: nil)
  }

  /// As `enqueue(appending:animated:)`, in synchronous code.
  @available(
    *, noasync, message: "here `await show(appending:)` waits, and `enqueue(appending:)` does not"
  )
  @discardableResult
  public func append(_ rawData: [Element.RawType], animated: Bool = true) -> Int {
    append(rawData, animated: animated, completion: nil)
  }

  /// As `show(_:animated:)`, in asynchronous code.
  @discardableResult
  public func update(_ rawData: [Element.RawType], animated: Bool = true) async -> UpdateOutcome {
    await show(rawData, animated: animated)
  }

  /// As `show(appending:animated:)`, in asynchronous code.
  @discardableResult
  public func append(
    _ rawData: [Element.RawType], animated: Bool = true
  ) async -> UpdateOutcome {
    await show(appending: rawData, animated: animated)
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
