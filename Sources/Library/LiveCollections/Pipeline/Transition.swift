import DeltaEngine

/// A change from one content to another, ready to be shown.
struct Transition<Shape: ContentShape>: Sendable {
  var source: [Shape.Element]
  var target: [Shape.Element]
  /// Whether the target's ids were checked.
  var isChecked = true
  /// What changes; `nil` when none was calculated.
  var delta: Delta?
  /// What is to be reloaded although it is equal.
  var overrides = ReloadOverrides()
  var isAnimated = true
  /// Reports the outcomes to the callers; on the delivery queue.
  var report: @Sendable (AppliedUpdate) -> Void

  /// Whether there is nothing to be shown.
  var isEmpty: Bool { delta?.isEmpty == true && overrides.sections.isEmpty }

  var deletedItems: [Shape.Item] {
    if let delta { return Shape.deletedItems(delta, from: source) }
    return Shape.deletedItems(from: source, to: target)
  }
}
