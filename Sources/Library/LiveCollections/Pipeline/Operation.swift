struct Operation<Element: Sendable>: Sendable {
  /// What the caller asked for.
  enum Change: Sendable {
    /// A new content; the current one is used only to keep identities.
    case replace(@Sendable (_ current: [Element]) -> [Element])

    /// A change of the content that is current when the operation starts.
    case change(@Sendable (_ current: [Element]) -> [Element])

    /// The same by ids, which leaves unique ids unique.
    case edit(@Sendable (_ draft: inout Draft<Element>) -> Result<Void, UpdateError>)

    /// A reload of items that must be there; a later replacement keeps it.
    case reload(
      check: @Sendable (_ draft: inout Draft<Element>) -> Result<Void, UpdateError>,
      find: @Sendable (_ content: [Element]) -> ReloadOverrides)

    /// Replaced by a later update, its content released.
    case dropped
  }

  /// Counts the updates of a collection, from 1.
  let number: Int
  var change: Change
  /// Whether `dataCountAnimationThreshold` is ignored, as for appending.
  var ignoresDataCount = false
  var isAnimated = true
  var completion: UpdateCompletion?

  var isReplacement: Bool {
    if case .replace = change { return true }
    return false
  }

  var isDropped: Bool {
    if case .dropped = change { return true }
    return false
  }

  /// Whether ids that are unique before the operation are unique after it.
  var keepsIDsUnique: Bool {
    switch change {
    case .replace, .change: false
    case .edit, .reload, .dropped: true
    }
  }

  /// Finds what a `reload` reloads.
  var reload: (@Sendable (_ content: [Element]) -> ReloadOverrides)? {
    if case .reload(_, let find) = change { return find }
    return nil
  }

  func apply(to draft: inout Draft<Element>) -> Result<Void, UpdateError> {
    switch change {
    case .replace(let content), .change(let content): draft.content = content(draft.content)
    case .edit(let edit): return edit(&draft)
    case .reload(let check, _): return check(&draft)
    case .dropped: break
    }
    return .success(())
  }
}
