/// One caller's wish, waiting for its turn.
struct Operation<Element: Sendable>: Sendable {
  /// What the caller wants of the content.
  enum Change: Sendable {
    /// The whole content, whatever is held; built from what is held only to keep identities.
    case replace(@Sendable (_ held: [Element]) -> [Element])

    /// A change of what is held when its turn comes.
    case edit(@Sendable (_ held: [Element]) throws(EditError) -> Edited<Element>)

    /// Nothing but a wish that some of what is held is drawn anew, which must be there: a later
    /// replacement does not make it void.
    case redraw(
      check: @Sendable (_ held: [Element]) throws(EditError) -> Void,
      find: @Sendable (_ content: [Element]) -> ForcedReloads)

    /// Replaced by a later wish, and given up to bound what waits.
    case dropped
  }

  /// Counts the wishes of a collection, from 1.
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

  /// Finds what is drawn anew, for a change that is nothing but that.
  var redraw: (@Sendable (_ content: [Element]) -> ForcedReloads)? {
    if case .redraw(_, let find) = change { return find }
    return nil
  }

  /// The content after this change.
  func apply(to held: [Element]) throws(EditError) -> Edited<Element> {
    switch change {
    case .replace(let content): return Edited(content(held))
    case .edit(let edited): return try edited(held)
    case .redraw(let check, let find):
      try check(held)
      return Edited(held, reloads: find)
    case .dropped: return Edited(held)
    }
  }
}
