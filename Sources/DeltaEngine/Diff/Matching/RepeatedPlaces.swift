/// A position in a list of a pair: the pair's number, and the index in the list.
@usableFromInline struct Place: BitwiseCopyable, Sendable {
  @usableFromInline var pair: Int32
  @usableFromInline var index: Int32

  @inlinable init(pair: Int, index: Int) {
    self.pair = Int32(truncatingIfNeeded: pair)
    self.index = Int32(truncatingIfNeeded: index)
  }
}

/// Two positions on one side with the same identity.
@usableFromInline struct RepeatedPlaces: Error {
  @usableFromInline let side: DuplicateIdentifier.Side
  @usableFromInline let first: Place
  @usableFromInline let second: Place

  /// Creates the error for two unresolved source elements.
  @usableFromInline init(inSource alignment: Alignment, first: Int, second: Int) {
    side = .source
    self.first = Place(
      pair: alignment.sourcePair(of: first), index: Int(alignment.unresolved.source[first]))
    self.second = Place(
      pair: alignment.sourcePair(of: second), index: Int(alignment.unresolved.source[second]))
  }

  /// Creates the error for two unresolved target elements.
  @usableFromInline init(inTarget alignment: Alignment, first: Int, second: Int) {
    side = .target
    self.first = Place(
      pair: alignment.targetPair(of: first), index: Int(alignment.unresolved.target[first]))
    self.second = Place(
      pair: alignment.targetPair(of: second), index: Int(alignment.unresolved.target[second]))
  }
}
