/// Two lists that are compared: the items of a section in both versions, or those of a deleted or
/// inserted section and an empty list.
@usableFromInline struct SectionPair: BitwiseCopyable {
  /// The section's index in the source; -1 if it is inserted.
  @usableFromInline var sourceSection: Int32
  /// The section's index in the target; -1 if it is deleted.
  @usableFromInline var targetSection: Int32
  /// The number of elements in the source's list.
  @usableFromInline var sourceCount: Int32
  /// The ranges of the pair's entries in `Unresolved`.
  @usableFromInline var sourceStart: Int32
  @usableFromInline var sourceEnd: Int32
  @usableFromInline var targetStart: Int32
  @usableFromInline var targetEnd: Int32
  @usableFromInline var changedStart: Int32
  @usableFromInline var changedEnd: Int32

  /// Creates a pair without entries, starting after the existing ones.
  @inlinable
  init(sourceSection: Int, targetSection: Int, sourceCount: Int, behind unresolved: Unresolved) {
    self.sourceSection = Int32(truncatingIfNeeded: sourceSection)
    self.targetSection = Int32(truncatingIfNeeded: targetSection)
    self.sourceCount = Int32(truncatingIfNeeded: sourceCount)
    sourceStart = Int32(truncatingIfNeeded: unresolved.source.count)
    targetStart = Int32(truncatingIfNeeded: unresolved.target.count)
    changedStart = Int32(truncatingIfNeeded: unresolved.changed.count)
    (sourceEnd, targetEnd, changedEnd) = (sourceStart, targetStart, changedStart)
  }

  /// Ends the pair's ranges at the last entries.
  @inlinable mutating func close(_ unresolved: Unresolved) {
    sourceEnd = Int32(truncatingIfNeeded: unresolved.source.count)
    targetEnd = Int32(truncatingIfNeeded: unresolved.target.count)
    changedEnd = Int32(truncatingIfNeeded: unresolved.changed.count)
  }

  /// Whether the pair has no unresolved or changed elements.
  @inlinable var isEmpty: Bool {
    sourceStart == sourceEnd && targetStart == targetEnd && changedStart == changedEnd
  }

  /// The numbers of the pair's unresolved source elements.
  @inlinable var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
  /// The numbers of the pair's unresolved target elements.
  @inlinable var targetRange: Range<Int> { Int(targetStart)..<Int(targetEnd) }
}
