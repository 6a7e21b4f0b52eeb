public import DeltaEngine

/// How a view is told of an update.
public enum AnimationStyle: Hashable, Sendable {
  /// Reload everything.
  case reloadData
  /// Reload the sections that changed, in one batch.
  case reloadSections
  /// Each single change, in as few batches as list views allow.
  case preciseAnimations
}

/// What a batch does.
public enum UpdateGroup: Hashable, Sendable {
  /// Sections come, go or move; perhaps items too.
  case sections
  /// Items come, go or move; perhaps some are reloaded.
  case items
  /// Sections or items are reloaded.
  case reloads
}

/// Where a batch stands.
public enum AnimationPhase: Hashable, Sendable {
  /// The view is about to get the batch.
  case immediatelyBefore
  /// Inside the batch, after the content was put in place.
  case during
  /// The view has got the batch.
  case immediatelyAfter
  /// The view has shown the batch.
  case completed
}

/// Decides how an update is shown, and animates alongside.
public protocol CollectionDataAnimationDelegate: AnyObject, Sendable {
  /// How to show an update; precise unless said otherwise.
  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle

  /// Called for each phase of each batch, in order: a batch is completed before the next begins.
  ///
  /// The delegate of several collections that share a batch is called once, for what they do together.
  func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup)
}

extension CollectionDataAnimationDelegate {
  /// Precise.
  public func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle {
    .preciseAnimations
  }

  /// Does nothing.
  public func animateAlongsideUpdate(_ phase: AnimationPhase, of group: UpdateGroup) {}
}

/// Decides how an update that changes sections is shown.
public protocol CollectionSectionDataAnimationDelegate: CollectionDataAnimationDelegate {
  /// How to show an update in which sections come, go or move; precise unless said otherwise.
  ///
  /// Asked before `preferredItemAnimationStyle(for:)`, which is asked too unless this is
  /// `.reloadData`; sections themselves are never reloaded for having moved, so that
  /// `.reloadSections` is the same as `.preciseAnimations`.
  func preferredSectionAnimationStyle(for delta: Delta) -> AnimationStyle
}

extension CollectionSectionDataAnimationDelegate {
  /// Precise.
  public func preferredSectionAnimationStyle(for delta: Delta) -> AnimationStyle {
    .preciseAnimations
  }
}
