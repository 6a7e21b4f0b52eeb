/// One caller's update while it waits.
struct Operation<Element: Sendable>: Sendable {
  /// What the caller asked for.
  enum Change: Sendable {
    /// A new content; the current one is used only to keep identities.
    case replace(@Sendable (_ current: [Element]) -> [Element])

    /// A change of the content that is current when the operation starts.
    case edit(@Sendable (_ current: [Element]) throws(EditError) -> Edited<Element>)

    /// A reload of items that must be there; a later replacement keeps it.
    case reload(
      check: @Sendable (_ current: [Element]) throws(EditError) -> Void,
      find: @Sendable (_ content: [Element]) -> ReloadOverrides)

    /// Replaced by a later update, its content released.
    case dropped
  }

  /// Counts the updates of a collection, from 1.
  let number: Int
  var change: Change
  /// Whether `dataCountAnimationThreshold` is ignored, as for appending.
  var ignoresDataCount = false
  var completion: (@Sendable (UpdateOutcome) -> Void)?

  var isReplacement: Bool {
    if case .replace = change { return true }
    return false
  }

  var isDropped: Bool {
    if case .dropped = change { return true }
    return false
  }

  /// Finds what a `reload` reloads.
  var reload: (@Sendable (_ content: [Element]) -> ReloadOverrides)? {
    if case .reload(_, let find) = change { return find }
    return nil
  }

  /// The content after this change.
  func apply(to current: [Element]) throws(EditError) -> Edited<Element> {
    switch change {
    case .replace(let content): return Edited(content(current))
    case .edit(let edited): return try edited(current)
    case .reload(let check, let find):
      try check(current)
      return Edited(current, reloads: find)
    case .dropped: return Edited(current)
    }
  }
}
