/// A place in one list of a pair: the pair's number, and the index in the list.
@usableFromInline
struct Place: BitwiseCopyable, Sendable {
  @usableFromInline var group: Int32
  @usableFromInline var index: Int32

  @inlinable
  init(group: Int, index: Int) {
    self.group = Int32(truncatingIfNeeded: group)
    self.index = Int32(truncatingIfNeeded: index)
  }
}

/// Two places of one list with the same identity.
@usableFromInline
struct RepeatedPlaces: Error {
  @usableFromInline let side: DuplicateIdentifier.Side
  @usableFromInline let first: Place
  @usableFromInline let second: Place
}

extension Matching {
  /// Two unresolved source elements are the same.
  @usableFromInline
  func repeatedSource(first: Int, second: Int) -> RepeatedPlaces {
    RepeatedPlaces(side: .source, first: place(source: first), second: place(source: second))
  }

  /// Two unresolved target elements have the same partner: the one that has it, and another.
  @usableFromInline
  func repeatedTarget(partner: Int, besides other: Int) -> RepeatedPlaces {
    var holder = 0
    while holder == other || partners[holder] != partner { holder += 1 }
    return RepeatedPlaces(
      side: .target, first: place(target: min(holder, other)),
      second: place(target: max(holder, other)))
  }

  private func place(source number: Int) -> Place {
    Place(group: sourceGroup(of: number), index: Int(unresolved.source[number]))
  }

  private func place(target number: Int) -> Place {
    Place(group: targetGroup(of: number), index: Int(unresolved.target[number]))
  }
}
