public import DeltaEngine

/// The outcome of an update; each caller gets exactly one.
public enum UpdateOutcome: Hashable, Sendable {
  /// The content is what the update asked for.
  case applied(AppliedUpdate)

  /// A later update, named by its number, was applied together with this one or in its place.
  ///
  /// Reported when that one was applied.
  case merged(into: Int)

  /// The update was not applied.
  case rejected(UpdateError)
}

/// An update that was applied.
public struct AppliedUpdate: Hashable, Sendable {
  /// How the view showed an update.
  public enum Presentation: Hashable, Sendable {
    /// Nothing differed.
    case nothing
    /// There was no view, or it showed something else by then.
    case contentOnly
    /// In one batch for each step.
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

  /// How the view showed it.
  public var presentation: Presentation

  /// An update that was applied.
  public init(delta: Delta?, presentation: Presentation) {
    self.delta = delta
    self.presentation = presentation
  }
}

/// Why an update was not applied.
public enum UpdateError: Error, Hashable, Sendable {
  /// An id would occur twice.
  case duplicate(DuplicateIdentifier)

  /// The edit cannot be made, as when it names an item that is not there.
  case edit(EditError)

  /// The edit threw an error of its own; the error as text.
  case thrown(String)

  /// Later updates replaced it and were then all rejected. Its content had been released, since the
  /// number of replaced contents that are kept is bounded.
  case overtaken(by: Int)
}

extension UpdateOutcome: CustomStringConvertible {
  /// The outcome in a few words.
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
    case .thrown(let error): error
    case .overtaken(let number): "update \(number) took its place, and was rejected"
    }
  }
}
