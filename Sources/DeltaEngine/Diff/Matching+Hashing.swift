/// The hashes of all unresolved elements, 32 bits each.
@usableFromInline
struct Hashes {
  @usableFromInline let source: ScratchBuffer<UInt32>
  @usableFromInline let target: ScratchBuffer<UInt32>

  @inlinable
  init(source: ScratchBuffer<UInt32>, target: ScratchBuffer<UInt32>) {
    self.source = source
    self.target = target
  }

  /// For identities that are not hashed.
  @inlinable static var none: Hashes { Hashes(source: .none, target: .none) }
}

extension Matching {
  /// Matches what did not line up, by hash.
  ///
  /// Everything is hashed once, in a loop that does nothing else. Then, where most has no partner,
  /// filters say so for nearly all of it, and the table holds only the rest; else it holds all.
  ///
  /// - Parameters:
  ///   - sources: Per kept group, the source's elements.
  ///   - targets: Per kept group, the target's elements.
  /// - Throws: `RepeatedPlaces` when two unresolved elements of one side are the same.
  @inlinable
  mutating func matchUnresolved<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>
  ) throws(RepeatedPlaces) {
    let sourceCount = unresolved.source.count
    let targetCount = unresolved.target.count
    partners = workspace.carve(targetCount)
    isTaken = Bits(words: workspace.carve(Bits.wordCount(sourceCount)))
    isTaken.clear(sourceCount)
    changedFar = ScratchList(workspace.carve(min(sourceCount, targetCount)))
    guard sourceCount > 0, targetCount > 0 else {
      partners.fill(targetCount, with: -1)
      return
    }
    let used = workspace.used
    defer { workspace.used = used }
    if let span = span(sources) {
      try match(sources, targets, in: span)
      try confirm(targets, table(0, sources), Hashes.none)
      return
    }
    let hashes = Hashes(source: workspace.carve(sourceCount), target: workspace.carve(targetCount))
    if Element.identityIsPlain {
      let hint = IdentityHash(isCanonical: false, isHint: true)
      _ = hashSources(sources, hint, into: hashes) && hashTargets(targets, hint, into: hashes)
      try match(sources, targets, hashes)
    }
    if matchedCount > 0 {
      try matchRest(sources, targets, hashes)
    } else {
      hash(sources, targets, into: hashes)
      try match(sources, targets, hashes)
    }
  }

  /// Matches all that is unresolved, by hashes that are there.
  @inlinable
  mutating func match<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>,
    _ hashes: Hashes
  ) throws(RepeatedPlaces) {
    let used = workspace.used
    if let candidates = candidates(hashes) {
      partners.fill(unresolved.target.count, with: -1)
      let table = table(candidates.source.count, sources)
      try enter(candidates.source.numbers, hashes, into: table)
      try lookUp(candidates.target, targets, hashes, in: table)
    } else {
      let table = table(unresolved.source.count, sources)
      try enter(0..<unresolved.source.count, hashes, into: table)
      table.guess(hashes.target, count: unresolved.target.count, into: partners)
      try confirm(targets, table, hashes)
    }
    workspace.used = used
  }

  /// Matches by `Hasher` what has no partner of the same bits; mostly there is little of it.
  @inlinable
  mutating func matchRest<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>,
    _ hashes: Hashes
  ) throws(RepeatedPlaces) {
    let (sourceRest, targetRest) = withoutPartner()
    if sourceRest.isEmpty || targetRest.isEmpty { return }
    let changedCount = changedFar.count
    let hash = IdentityHash(isCanonical: true)
    let table = table(sourceRest.count, sources)
    for number in sourceRest.numbers {
      guard let hash = hash.hash(table[number].diffID, of: Element.self) else { continue }
      hashes.source[number] = UInt32(truncatingIfNeeded: hash)
    }
    try enter(sourceRest.numbers, hashes, into: table)
    var group = 0
    for entry in targetRest.numbers {
      while groups[group].targetEnd <= entry { group &+= 1 }
      let list = targets[group]
      let id = list[Int(unresolved.target[entry])].diffID
      guard let hash = hash.hash(id, of: Element.self) else { continue }
      try lookUp(list, entry, UInt32(truncatingIfNeeded: hash), in: table)
    }
    if changedFar.count > changedCount { changedFar.sort() }
  }

  /// The unresolved elements that have no partner yet.
  @usableFromInline
  mutating func withoutPartner() -> (source: ScratchList<Int32>, target: ScratchList<Int32>) {
    var source = ScratchList<Int32>(workspace.carve(unresolved.source.count + 1))
    var target = ScratchList<Int32>(workspace.carve(unresolved.target.count + 1))
    for number in 0..<unresolved.source.count {
      source.append(Int32(truncatingIfNeeded: number), keepingIf: !isTaken[number])
    }
    for number in 0..<unresolved.target.count {
      target.append(Int32(truncatingIfNeeded: number), keepingIf: partners[number] < 0)
    }
    return (source, target)
  }

  // MARK: - Hashing

  /// Hashes all; by `Hasher` when an identity can only be hashed that way.
  @inlinable
  func hash<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>,
    into hashes: Hashes
  ) {
    for isCanonical in [false, true] {
      let hash = IdentityHash(isCanonical: isCanonical)
      if hashSources(sources, hash, into: hashes), hashTargets(targets, hash, into: hashes) {
        return
      }
    }
  }

  @inlinable
  func hashSources<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ hash: IdentityHash, into hashes: Hashes
  ) -> Bool {
    let indices = unresolved.source
    for number in 0..<groups.count {
      let group = groups[number]
      let elements = sources[number]
      for entry in Int(group.sourceStart)..<Int(group.sourceEnd) {
        let index = Int(indices[entry])
        guard let hash = hash.hash(elements[index].diffID, of: Element.self) else { return false }
        hashes.source[entry] = UInt32(truncatingIfNeeded: hash)
      }
    }
    return true
  }

  @inlinable
  func hashTargets<Element: Diffable>(
    _ targets: ScratchBuffer<Elements<Element>>, _ hash: IdentityHash, into hashes: Hashes
  ) -> Bool {
    let indices = unresolved.target
    for number in 0..<groups.count {
      let group = groups[number]
      let elements = targets[number]
      for entry in Int(group.targetStart)..<Int(group.targetEnd) {
        let index = Int(indices[entry])
        guard let hash = hash.hash(elements[index].diffID, of: Element.self) else { return false }
        hashes.target[entry] = UInt32(truncatingIfNeeded: hash)
      }
    }
    return true
  }

  // MARK: - Matching

  @inlinable
  mutating func table<Element: Diffable>(
    _ count: Int, _ sources: ScratchBuffer<Elements<Element>>
  ) -> IdentityTable<Element> {
    let slotCount = tableSlotCount(count)
    return IdentityTable(
      slots: workspace.carve(slotCount), slotCount: slotCount, numberCount: unresolved.source.count,
      indices: unresolved.source.buffer, groups: sourceGroups, hasOneList: hasOnePair,
      elements: sources)
  }

  /// Enters unresolved source elements.
  @inlinable
  func enter<Element: Diffable>(
    _ numbers: some Sequence<Int>, _ hashes: Hashes, into table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    for number in numbers {
      let twin = table.insert(number, hashes.source[number])
      if twin >= 0 { throw repeatedSource(first: twin, second: number) }
    }
  }

  /// Asks the partners that were guessed for all unresolved target elements.
  @inlinable
  mutating func confirm<Element: Diffable>(
    _ targets: ScratchBuffer<Elements<Element>>, _ table: IdentityTable<Element>, _ hashes: Hashes
  ) throws(RepeatedPlaces) {
    for number in 0..<groups.count {
      try confirm(targets[number], groups[number].targetRange, hashes, in: table)
    }
  }

  /// Asks the partners that were guessed for elements of one list.
  @inlinable
  mutating func confirm<Element: Diffable>(
    _ list: Elements<Element>, _ entries: Range<Int>, _ hashes: Hashes,
    in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    let (partners, indices, isTaken) = (partners, unresolved.target, isTaken)
    var (changed, count) = (changedFar, matchedCount)
    for entry in entries {
      var partner = Int(partners[entry])
      if partner < 0 { continue }
      let index = Int(indices[entry])
      if !table.isSame(partner, list[index].diffID) {
        partner = table.find(list, index, hashes.target[entry])
        partners[entry] = Int32(truncatingIfNeeded: partner)
        if partner < 0 { continue }
      }
      if isTaken[partner] { throw repeatedTarget(partner: partner, second: entry) }
      isTaken.insert(partner)
      count &+= 1
      if !list[index].hasSameContent(as: table[partner]) {
        changed.append(Int32(truncatingIfNeeded: entry))
      }
    }
    (changedFar, matchedCount) = (changed, count)
  }

  /// Looks up some unresolved target elements; their numbers ascend.
  @inlinable
  mutating func lookUp<Element: Diffable>(
    _ candidates: ScratchList<Int32>, _ targets: ScratchBuffer<Elements<Element>>,
    _ hashes: Hashes, in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    var group = 0
    for entry in candidates.numbers {
      while groups[group].targetEnd <= entry { group &+= 1 }
      try lookUp(targets[group], entry, hashes.target[entry], in: table)
    }
  }

  @inlinable
  @inline(__always)
  mutating func lookUp<Element: Diffable>(
    _ list: Elements<Element>, _ entry: Int, _ hash: UInt32, in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    let index = Int(unresolved.target[entry])
    let partner = table.find(list, index, hash)
    partners[entry] = Int32(truncatingIfNeeded: partner)
    if partner < 0 { return }
    if isTaken[partner] { throw repeatedTarget(partner: partner, second: entry) }
    isTaken.insert(partner)
    matchedCount &+= 1
    if !list[index].hasSameContent(as: table[partner]) {
      changedFar.append(Int32(truncatingIfNeeded: entry))
    }
  }
}
