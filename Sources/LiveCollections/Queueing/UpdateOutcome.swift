public import DeltaEngine

/// What became of an update: every caller hears exactly one.
public enum UpdateOutcome: Hashable, Sendable {
  /// The content is what the update asked for.
  case applied(AppliedUpdate)

  /// The update waited and was taken over by a later one, with which it was applied or by whose
  /// content it was replaced.
  ///
  /// Heard when the later one, named by its number, was applied.
  case merged(into: Int)

  /// Nothing of the update is in the content.
  case rejected(UpdateError)
}

/// An update that is in the content.
public struct AppliedUpdate: Hashable, Sendable {
  /// How a view was told of an update.
  public enum Presentation: Hashable, Sendable {
    /// Nothing differed, so that there was nothing to tell.
    case nothing
    /// There was no view, or it showed something else by now.
    case contentOnly
    /// In batches, step by step.
    case batches
    /// By reloading sections, because of a threshold or a preference.
    case sectionReload
    /// By reloading everything, because of a threshold, a preference, or because the view could
    /// not animate.
    case fullReload
  }

  /// What changed; `nil` when the content was over `dataCountAnimationThreshold`, so that no delta
  /// was calculated.
  public var delta: Delta?

  /// How the view was told.
  public var presentation: Presentation

  /// An update that is in the content.
  public init(delta: Delta?, presentation: Presentation) {
    self.delta = delta
    self.presentation = presentation
  }
}

/// Why nothing of an update is in the content.
public enum UpdateError: Error, Hashable, Sendable {
  /// An id would occur twice.
  case duplicate(DuplicateIdentifier)

  /// An edit that cannot be: it names something that is not there.
  case edit(EditError)

  /// Later updates took its place, and all of them were rejected; its own content was given up
  /// while it waited, to bound what waits.
  case overtaken(by: Int)
}

extension UpdateOutcome: CustomStringConvertible {
  /// What became of the update, in a few words.
  public var description: String {
    switch self {
    case .applied(let update): "applied by \(update.presentation)"
    case .merged(let number): "merged into \(number)"
    case .rejected(let error): "rejected: \(error)"
    }
  }
}

extension UpdateError: CustomStringConvertible {
  /// Why the update was rejected, in one sentence.
  public var description: String {
    switch self {
    case .duplicate(let duplicate): "\(duplicate)"
    case .edit(let error): "\(error)"
    case .overtaken(let number): "update \(number) took its place, and was rejected"
    }
  }
}
