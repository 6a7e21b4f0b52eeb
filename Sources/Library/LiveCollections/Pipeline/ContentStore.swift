import DeltaEngine

/// The current content of a collection and its revision, behind a lock under which neither a
/// comparison nor a view runs.
final class ContentStore<Element: Sendable>: Sendable {
  private struct State {
    var content: [Element]
    /// Counts the replacements; a delta is valid for one revision only.
    var revision: UInt64 = 0
    /// Whether its ids were checked; the first content's are by the first update.
    var isChecked = false
    /// Who reads the contents, by a number.
    var readers: [Int: AsyncStream<[Element]>.Continuation] = [:]
    var lastReader = 0

    /// Replaces the content, and returns the old one.
    mutating func replace(by content: [Element], isChecked: Bool) -> [Element] {
      let old = self.content
      self.content = content
      self.isChecked = isChecked
      revision += 1
      for reader in readers.values { reader.yield(content) }
      return old
    }
  }

  private let state: Locked<State>

  init(_ content: [Element]) { state = Locked(State(content: content)) }

  /// The content; shared, not copied.
  var content: [Element] { state.withLock { $0.content } }

  /// The content, the revision that it is, and what is known of it as the source of a delta.
  var current: (content: [Element], revision: UInt64, uniqueness: Uniqueness) {
    state.withLock { ($0.content, $0.revision, $0.isChecked ? .sourceChecked : .checked) }
  }

  deinit {
    for reader in state.withLock({ $0.readers.values }) { reader.finish() }
  }

  /// Replaces the content by one whose ids were checked, or perhaps not.
  func replace(by content: [Element], isChecked: Bool) {
    // The old content is released outside the lock, since that may take long.
    _ = state.withLock { $0.replace(by: content, isChecked: isChecked) }
  }

  /// Replaces the content, unless it is no longer the revision that is named.
  ///
  /// - Returns: Whether the content was replaced.
  func replace(by content: [Element], isChecked: Bool, at revision: UInt64) -> Bool {
    let old = state.withLock { state in
      state.revision == revision ? state.replace(by: content, isChecked: isChecked) : nil
    }
    return old != nil
  }

  /// The contents from now on; a slow reader gets the newest.
  func contents() -> AsyncStream<[Element]> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [Element].self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = continuation
      continuation.yield(state.content)
      return state.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }
}
