extension ViewedVersion {
  /// Returns the part of the list that a window shows.
  ///
  /// - Parameters:
  ///   - window: The window; nil for the whole list.
  ///   - held: The reader's version, if it is retained: where the window is around an item that is gone from the view,
  ///     it stands at one that was near it in that version's.
  ///   - meter: The work.
  /// - Throws: `WorkStop`.
  /// - Returns: The part, which has fewer items than the window asks for where the list ends; nil if the window is
  ///   around an item, and contents that tell the ids of items are not available.
  package func run(
    _ window: ViewWindow?, after held: ViewedVersion? = nil, _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> ViewRun? {
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
      guard total > 0 else {
        return ViewRun(total: 0, start: 0, count: 0, isExact: false, isOfUnknownID: true)
      }
      guard let places = try ItemPlaces(self, meter) else { return nil }
      let id = version.ids.find(id[...])
      let exact = id.flatMap(places.position)
      var position = exact ?? 0
      if exact == nil, let id, let held {
        guard let before = try ItemPlaces(held, meter) else { return nil }
        if let place = before.position(of: id) {
          position = try places.nearest(to: place, in: before, meter)
        }
      }
      let start = max(0, position - before)
      return ViewRun(
        total: total, start: start, count: min(total, position + after + 1) - start,
        anchor: places.id(at: position), isExact: exact != nil, isOfUnknownID: id == nil)
    }
  }
}

/// The positions of all items in a view, by the ids that a reader of all of it gives to them.
private struct ItemPlaces {
  private let viewed: ViewedVersion
  /// The ids by position, and the positions by id; nil if the ids are those of the version.
  private let numbered: (ids: [UInt32], positions: [UInt32: Int])?

  /// Finds the ids; nil if one is not known.
  init?(_ viewed: ViewedVersion, _ meter: WorkMeter) throws(WorkStop) {
    self.viewed = viewed
    guard viewed.version.ids.hasOccurrenceNames else {
      numbered = nil
      return
    }
    guard let ids = try viewed.allIDs(meter)?.names else { return nil }
    let positions = zip(ids, ids.indices)
    numbered = (ids, Dictionary(positions) { first, _ in first })
  }

  func id(at position: Int) -> UInt32 {
    numbered?.ids[position]
      ?? viewed.version.item(at: viewed.members.flatIndex(at: position)).uniqueID
  }

  /// The position of the item with an id; nil if it is not in the view.
  func position(of id: UInt32) -> Int? {
    if let numbered { return numbered.positions[id] }
    guard let item = viewed.version.flatIndex(of: id), viewed.members.isShown(item) else {
      return nil
    }
    return viewed.members.position(of: item)
  }

  /// The position of the item that was nearest to a place in another list: the nearest before it that survives, else
  /// after it, else what is at its place now.
  func nearest(
    to place: Int, in other: ItemPlaces, _ meter: WorkMeter
  ) throws(WorkStop) -> Int {
    func survivor(_ positions: some Sequence<Int>) throws(WorkStop) -> Int? {
      for position in positions {
        try meter.spend(64)
        if let survivor = self.position(of: other.id(at: position)) { return survivor }
      }
      return nil
    }
    if let before = try survivor((0..<place).reversed()) { return before }
    return try survivor(place + 1..<other.viewed.members.total)
      ?? min(place, viewed.members.total - 1)
  }
}
