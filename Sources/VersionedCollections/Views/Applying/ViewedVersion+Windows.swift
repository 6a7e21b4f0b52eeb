extension ViewedVersion {
  /// Returns the part of the list that a window shows.
  ///
  /// - Parameters:
  ///   - window: The window; nil for the whole list.
  ///   - held: The reader's version, if it is retained: where the window is around an item that is gone from this
  ///     version, it stands at one that was near it in that one.
  /// - Returns: The part, which has fewer items than the window asks for where the list ends.
  package func run(_ window: ViewWindow?, after held: ViewedVersion? = nil) -> ViewRun {
    let total = members.total
    switch window {
    case nil: return ViewRun(total: total, start: 0, count: total, isWhole: true)
    case .first(let count): return ViewRun(total: total, start: 0, count: min(count, total))
    case .last(let count):
      let count = min(count, total)
      return ViewRun(total: total, start: total - count, count: count)
    case .at(let index, let count):
      let start = min(index, total)
      return ViewRun(total: total, start: start, count: min(count, total - start))
    case .around(let id, let before, let after):
      let id = version.ids.find(id[...])
      guard let position = id.flatMap({ position(of: $0, after: held) }) ?? (total > 0 ? 0 : nil)
      else { return ViewRun(total: total, start: 0, count: 0, isExact: false) }
      let anchor = self.id(at: position)
      let start = max(0, position - before)
      return ViewRun(
        total: total, start: start, count: min(total, position + after + 1) - start,
        anchor: anchor, isExact: anchor == id)
    }
  }

  /// The position at which a window around an item stands; nil if no version tells.
  ///
  /// It is that of the nearest survivor: the item itself, then those before it, then those after it. An item that is
  /// in a version, but not in the view, has its place in the version's own order.
  private func position(of id: UInt32, after held: ViewedVersion?) -> Int? {
    guard let known = allowedItem(id) != nil ? self : held, let item = known.allowedItem(id),
      members.total > 0
    else { return nil }
    let isShown = known.members.isShown(item)
    let place = isShown ? known.members.position(of: item) : known.members.rank(item)
    // The item itself, if it is in the view, and those before it.
    let before = place + (isShown ? 1 : 0)
    for step in 0..<known.members.total {
      let neighbor = step < before ? before - 1 - step : step
      let flat = isShown ? known.members.flatIndex(at: neighbor) : known.members.element(neighbor)
      let survivor = known.version.item(at: flat).uniqueID
      if shows(survivor) { return version.flatIndex(of: survivor).map(members.position) }
    }
    return min(place, members.total - 1)
  }
}
