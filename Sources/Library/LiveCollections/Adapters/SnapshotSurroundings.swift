/// Which of a snapshot's sections are a collection's, and where they stand among the others.
struct SnapshotSurroundings<SectionID: Hashable> {
  /// Next to which section that is not the collection's its own stand.
  private enum Anchor {
    case after(SectionID)
    case before(SectionID)
  }

  /// The sections that the collection had last.
  var own: Set<SectionID> = []
  private var anchor: Anchor?

  func isOwn(_ id: SectionID) -> Bool { own.contains(id) }

  /// Adds sections to the collection's, and remembers where these stand in a snapshot.
  mutating func note(own more: [SectionID], in shown: [SectionID]) {
    own.formUnion(more)
    guard let first = shown.firstIndex(where: isOwn), let last = shown.lastIndex(where: isOwn)
    else { return }
    if first > 0 {
      anchor = .after(shown[first - 1])
    } else {
      anchor = last + 1 < shown.count ? .before(shown[last + 1]) : nil
    }
  }

  /// Where the collection's first section belongs among others.
  func place(among others: [SectionID]) -> Int {
    switch anchor {
    case .after(let id): others.firstIndex(of: id).map { $0 + 1 } ?? others.count
    case .before(let id): others.firstIndex(of: id) ?? others.count
    case nil: others.count
    }
  }
}
