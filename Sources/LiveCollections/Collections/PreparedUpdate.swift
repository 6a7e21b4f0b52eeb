public import DeltaEngine

/// An update that was computed but not yet applied, for owners that must store before they show.
///
/// `Element` is the section type of a `CollectionSectionData`, the item type of a `CollectionData`.
/// Dropping it is all it takes to give it up.
public struct PreparedUpdate<Element: Sendable>: Sendable {
  /// What the update changes.
  public let delta: Delta

  /// The content after the update.
  public let content: [Element]

  /// The revision of the content that the delta starts from.
  @usableFromInline let base: UInt64

  @usableFromInline init(delta: Delta, content: [Element], base: UInt64) {
    self.delta = delta
    self.content = content
    self.base = base
  }
}
