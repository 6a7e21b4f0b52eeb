public import DeltaEngine

/// How a view shows an update.
public enum AnimationStyle: Hashable, Sendable {
  /// Reload everything.
  case reloadData
  /// Reload the sections that changed, in one batch.
  case reloadSections
  /// Animate each change, in as few batches as list views allow.
  case preciseAnimations
}

/// What a batch does.
public enum UpdateGroup: Hashable, Sendable {
  /// Sections are inserted, deleted or moved; perhaps items too.
  case sections
  /// Items are inserted, deleted or moved; perhaps some are reloaded.
  case items
  /// Sections or items are reloaded.
  case reloads
}

/// The phases of a batch.
public enum AnimationPhase: Hashable, Sendable {
  /// Before the view gets the batch.
  case immediatelyBefore
  /// Inside the batch, after the content was replaced.
  case during
  /// After the view has got the batch.
  case immediatelyAfter
  /// The view has shown the batch.
  case completed
}

/// Decides how an update is shown, and animates alongside.
@MainActor public protocol CollectionDataAnimationDelegate: AnyObject, Sendable {
  /// How to show an update; precise by default.
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle

  /// Called for each phase of each batch, in order: a batch is completed before the next begins.
  ///
  /// The delegate of several collections that share a batch is called once for all.
  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup)

  /// Called inside each batch, for animations that run beside those of the view.
  ///
  /// A delegate that has `animateAlongsideUpdate(_:of:)` is not asked.
  ///
  /// - Parameter duration: About as long as list views animate, in seconds: 0.3.
  func animateAlongsideUpdate(with duration: Double)
}

extension CollectionDataAnimationDelegate {
  /// Precise.
  public func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle {
    .preciseAnimations
  }

  /// Calls `animateAlongsideUpdate(with:)` inside the batch.
  public func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) {
    if phase == .during { animateAlongsideUpdate(with: 0.3) }
  }

  /// Does nothing.
  public func animateAlongsideUpdate(with duration: Double) {}
}

/// Decides how an update that changes sections is shown.
@MainActor public protocol CollectionSectionDataAnimationDelegate: CollectionDataAnimationDelegate {
  /// How to show an update that inserts, deletes or moves sections; precise by default.
  ///
  /// Called before `preferredItemAnimationStyle(for:)`, which is called too unless this is
  /// `.reloadData`. Sections are not reloaded for moving: `.reloadSections` is the same as
  /// `.preciseAnimations`.
  func preferredSectionAnimationStyle(for delta: Delta) -> AnimationStyle
}

extension CollectionSectionDataAnimationDelegate {
  /// Precise.
  public func preferredSectionAnimationStyle(for delta: Delta) -> AnimationStyle {
    .preciseAnimations
  }
}
