import DeltaEngine

/// A way from one content to another, ready to be shown.
struct Transition<Shape: ContentShape>: Sendable {
  var source: [Shape.Element]
  var target: [Shape.Element]
  /// What changes; `nil` when none was calculated.
  var delta: Delta?
  /// Sections to be reloaded although they are equal.
  var sectionOverrides: Set<Int> = []
  /// Tells the callers what became of their updates; on the delivery queue.
  var report: @Sendable (AppliedUpdate) -> Void

  /// Whether there is nothing to be shown.
  var isEmpty: Bool { delta?.isEmpty == true && sectionOverrides.isEmpty }

  /// The items that are gone afterwards.
  var deletedItems: [Shape.Item] {
    if let delta { return Shape.deletedItems(delta, from: source) }
    return Shape.deletedItems(from: source, to: target)
  }
}
