extension Judge {
  /// Everybody reads what anybody was told before: their own writes too.
  mutating func checkOrder(_ events: [Event]) {
    let moments =
      events.indices.map { (at: events[$0].start, index: $0, isStart: true) }
      + events.indices.map { (at: events[$0].end, index: $0, isStart: false) }
    var floors: [Int: [Substring: Int]] = [:]
    for moment in moments.sorted(by: { $0.at < $1.at }) {
      let event = events[moment.index]
      if moment.isStart {
        floors[moment.index] = collections[event.collection]?.told ?? [:]
      } else {
        checkOrder(event, floors.removeValue(forKey: moment.index) ?? [:])
      }
    }
  }

  private mutating func checkOrder(_ event: Event, _ floor: [Substring: Int]) {
    switch event.what {
    case .read(let reading):
      checkOrder(reading.version, event, floor, isNew: false)
    case .wrote(let version, _, let isChange):
      checkOrder(version, event, floor, isNew: isChange == true)
    case .missing: checkGone(floor.keys, event)
    default: break
    }
  }

  private mutating func checkOrder(
    _ version: String, _ event: Event, _ floor: [Substring: Int], isNew: Bool
  ) {
    guard let parts = TokenParts(version) else { return }
    if let known = floor[parts.lineage], parts.seq < known + (isNew ? 1 : 0) {
      note("\(version) came when \(known) had been told already", event)
    }
    if let end = collections[event.collection]?.gone[parts.lineage], end < event.start {
      note("\(version) came of a collection that was deleted", event)
    }
    checkGone(floor.keys.filter { $0 != parts.lineage }, event)
    let told = collections[event.collection]?.told[parts.lineage] ?? 0
    collections[event.collection]?.told[parts.lineage] = max(told, parts.seq)
  }

  private mutating func checkGone(_ lineages: some Sequence<Substring>, _ event: Event) {
    for lineage in lineages {
      let start = collections[event.collection]?.mayBeGone[lineage] ?? Int.max
      if start > event.end { note("the lineage \(lineage) is lost", event) }
    }
  }

  /// Both of a pair, or none.
  mutating func checkPairs(_ events: [Event]) {
    for event in events {
      if case .refusedPair(let number) = event.what { refusedPairs.insert(number) }
    }
    for event in events {
      guard case .pair(let left, let right) = event.what else { continue }
      if left != right { note("half a batch: \(left ?? -1) and \(right ?? -1)", event) }
      if let left, refusedPairs.contains(left) { note("the batch \(left) was refused", event) }
    }
  }

  /// Numbers have no gaps, and no version comes of nothing.
  mutating func checkChains() {
    for (name, collection) in collections.sorted(by: { $0.key < $1.key }) {
      let unclaimed = collection.lineages.values.reduce(collection.unclaimedAndGone) {
        $0 + $1.unclaimed
      }
      if unclaimed > collection.lostWrites {
        note("\(name): \(unclaimed) versions of \(collection.lostWrites) writes without answer")
      }
    }
  }
}
