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
  }

  private let state: Locked<State>

  init(_ content: [Element]) { state = Locked(State(content: content)) }

  /// The content; shared, not copied.
  var content: [Element] { state.withLock { $0.content } }

  /// The content, the revision that it is, and what is known of it as the source of a delta.
  var current: (content: [Element], revision: UInt64, uniqueness: Uniqueness) {
    state.withLock { ($0.content, $0.revision, $0.isChecked ? .sourceChecked : .checked) }
  }

  /// Replaces the content by one whose ids were checked, or perhaps not.
  func replace(by content: [Element], isChecked: Bool) {
    // The old content is released outside the lock, since that may take long.
    var content = content
    state.withLock { state in
      swap(&state.content, &content)
      state.revision += 1
      state.isChecked = isChecked
    }
  }

  /// Replaces the content, unless it is no longer the revision that is named.
  ///
  /// - Returns: Whether the content was replaced.
  func replace(by content: [Element], isChecked: Bool, at revision: UInt64) -> Bool {
    var content = content
    return state.withLock { state in
      guard state.revision == revision else { return false }
      swap(&state.content, &content)
      state.revision += 1
      state.isChecked = isChecked
      return true
    }
  }
}
