/// One pair of lists that are compared: the items of a section in both versions, or all of a
/// removed section's, or all of an added one's.
@usableFromInline
struct Group: BitwiseCopyable {
  /// The section's index in the source; -1 for an added section.
  @usableFromInline var sourceSection: Int32
  /// The section's index in the target; -1 for a removed section.
  @usableFromInline var targetSection: Int32
  /// The number of elements in the source's list.
  @usableFromInline var sourceCount: Int32
  /// Where this pair's entries in `Unresolved` start and end.
  @usableFromInline var sourceStart: Int32 = 0
  @usableFromInline var sourceEnd: Int32 = 0
  @usableFromInline var targetStart: Int32 = 0
  @usableFromInline var targetEnd: Int32 = 0
  @usableFromInline var changedStart: Int32 = 0
  @usableFromInline var changedEnd: Int32 = 0

  @inlinable
  init(sourceSection: Int, targetSection: Int, sourceCount: Int) {
    self.sourceSection = Int32(truncatingIfNeeded: sourceSection)
    self.targetSection = Int32(truncatingIfNeeded: targetSection)
    self.sourceCount = Int32(truncatingIfNeeded: sourceCount)
  }

  /// The numbers of this pair's unresolved source elements.
  @inlinable var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
  /// The numbers of this pair's unresolved target elements.
  @inlinable var targetRange: Range<Int> { Int(targetStart)..<Int(targetEnd) }
}
