/// One caller's update, waiting for its turn.
struct Operation<Element: Sendable>: Sendable {
  /// What the caller wants of the content.
  enum Change: Sendable {
    /// The whole content, whatever is held; built from what is held only to keep identities.
    case replace(@Sendable (_ held: [Element]) -> [Element])

    /// A change of what is held when its turn comes.
    case edit(@Sendable (_ held: [Element]) throws(EditError) -> Edited<Element>)

    /// A reload of some of what is held, which must be there; a later replacement keeps it.
    case reload(
      check: @Sendable (_ held: [Element]) throws(EditError) -> Void,
      find: @Sendable (_ content: [Element]) -> ReloadOverrides)

    /// Replaced by a later update, and given up to bound what waits.
    case dropped
  }

  /// Counts the updates of a collection, from 1.
  let number: Int
  var change: Change
  /// Whether `dataCountAnimationThreshold` does not count, as for appending.
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

  /// Finds what is reloaded, for a change that is nothing but that.
  var reload: (@Sendable (_ content: [Element]) -> ReloadOverrides)? {
    if case .reload(_, let find) = change { return find }
    return nil
  }

  /// The content after this change.
  func apply(to held: [Element]) throws(EditError) -> Edited<Element> {
    switch change {
    case .replace(let content): return Edited(content(held))
    case .edit(let edited): return try edited(held)
    case .reload(let check, let find):
      try check(held)
      return Edited(held, reloads: find)
    case .dropped: return Edited(held)
    }
  }
}
