/// Two lists that are compared: the items of a section in both versions, or those of a deleted or
/// of an inserted section and none.
@usableFromInline struct SectionPair: BitwiseCopyable {
  /// The section's index in the source; -1 for an inserted section.
  @usableFromInline var sourceSection: Int32
  /// The section's index in the target; -1 for a deleted section.
  @usableFromInline var targetSection: Int32
  /// The number of elements in the source's list.
  @usableFromInline var sourceCount: Int32
  /// Where this pair's entries in `Unresolved` start and end.
  @usableFromInline var sourceStart: Int32
  @usableFromInline var sourceEnd: Int32
  @usableFromInline var targetStart: Int32
  @usableFromInline var targetEnd: Int32
  @usableFromInline var changedStart: Int32
  @usableFromInline var changedEnd: Int32

  /// A pair without entries, which will start behind those that there are.
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

  /// Takes all entries behind the start as this pair's.
  @inlinable mutating func close(_ unresolved: Unresolved) {
    sourceEnd = Int32(truncatingIfNeeded: unresolved.source.count)
    targetEnd = Int32(truncatingIfNeeded: unresolved.target.count)
    changedEnd = Int32(truncatingIfNeeded: unresolved.changed.count)
  }

  /// Whether nothing of it is unresolved or changed.
  @inlinable var isEmpty: Bool {
    sourceStart == sourceEnd && targetStart == targetEnd && changedStart == changedEnd
  }

  /// The numbers of this pair's unresolved source elements.
  @inlinable var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
  /// The numbers of this pair's unresolved target elements.
  @inlinable var targetRange: Range<Int> { Int(targetStart)..<Int(targetEnd) }
}
