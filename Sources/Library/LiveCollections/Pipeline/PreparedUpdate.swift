public import DeltaEngine

/// An update that was computed but not yet applied, for owners that must store it first.
///
/// `Element` is the section type of a `CollectionSectionData`, the item type of a `CollectionData`.
public struct PreparedUpdate<Element: Sendable>: Sendable {
  /// What the update changes.
  public let delta: Delta

  /// The content after the update.
  public let content: [Element]

  /// The revision of the content that the delta starts from.
  @usableFromInline let base: UInt64

  /// Whether the content's ids were checked.
  @usableFromInline let isChecked: Bool

  @usableFromInline init(delta: Delta, content: [Element], base: UInt64, isChecked: Bool) {
    self.delta = delta
    self.content = content
    self.base = base
    self.isChecked = isChecked
  }
}
