import Synchronization

/// What is remembered of the views of one collection, as long as its settings stay the same.
///
/// All of it can be made again. What was used least recently goes when there is too much.
package final class ViewCache: Sendable {
  /// What is known of a view: the items that it shows of the two versions it was last asked for, least recently first.
  ///
  /// Those of versions that follow one another may be the same.
  fileprivate final class Entry {
    var versions: [(seqs: ClosedRange<Int>, members: ViewMembers)] = []
    var lastUse = 0
    /// The approximate size of the view in bytes.
    let viewBytes: Int

    init(viewBytes: Int) { self.viewBytes = viewBytes }

    var byteCount: Int { versions.reduce(overhead + viewBytes) { $0 + $1.members.byteCount } }
  }

  fileprivate struct State {
    var entries: [View: Entry] = [:]
    /// The versions that were viewed last, by their numbers.
    var versions: [Int: (version: ViewableVersion, wasHead: Bool, lastUse: Int)] = [:]
    /// The number of the newest of them that was the head.
    var head = 0
    /// What changed between versions, as all views see it; what was computed last is last.
    var changes: [(from: Int, to: Int, changes: ViewChanges)] = []
    var memberBytes = 0
    var useCount = 0
  }

  private let state = Mutex(State())

  /// About how much the items that views show may take: so many times the contents, within these bounds in bytes.
  private static let (contentsFactor, memberBytes) = (4, (64 << 10)...(64 << 20))
  /// The approximate size of an entry in bytes, without its items.
  fileprivate static let overhead = 512

  package init() {}

  var byteCount: Int {
    state.withLock { state in
      let head = state.versions[state.head]?.version.contents
      let others = state.versions.reduce(0) { sum, version in
        let (version, isHead) = (version.value.version, version.key == state.head)
        if isHead { return sum + version.byteCount }
        let contents = version.contents
        let isShared = head?.hasBuffer(of: contents) ?? false
        return sum + version.byteCount + 28 * version.itemCount
          + (isShared ? contents.tail.count : contents.ownByteCount)
      }
      return state.memberBytes + state.changes.reduce(others) { $0 + $1.changes.byteCount }
    }
  }

  /// The number of views that are remembered.
  package var count: Int { state.withLock { $0.entries.count } }

  // MARK: Versions

  /// Returns a version as views see it; makes it if it is not remembered.
  func version(_ seq: Int, head: Int, _ make: () -> ViewableVersion) -> ViewableVersion {
    // A copy of the collection whose head is an older one needs all of it, with headers and `meta`.
    if let known = state.withLock({ $0.use(seq, asHead: seq == head) }) { return known }
    let version = make()
    insert(version, seq, head: head)
    return version
  }

  /// Remembers a version as views see it.
  ///
  /// A new head drops the versions that do not share its buffer. Waiting readers hold the others.
  func insert(_ version: ViewableVersion, _ seq: Int, head: Int) {
    state.withLock { state in
      if seq == head, head > state.head {
        state.versions = state.versions.filter {
          $0.value.version.contents.hasBuffer(of: version.contents)
        }
        state.head = head
      }
      state.insert(version, seq, wasHead: seq == head)
    }
  }

  /// Returns the changes between two versions; computes them if they are not remembered.
  func changes(from older: Int, to newer: Int, _ make: () -> ViewChanges) -> ViewChanges {
    let known = state.withLock { state in
      state.changes.first { $0.from == older && $0.to == newer }?.changes
    }
    if let known { return known }
    let changes = make()
    state.withLock { $0.add(changes, from: older, to: newer) }
    return changes
  }

  // MARK: Items

  /// The items that a view shows of a version; nil if they are not remembered.
  func members(_ view: View, _ seq: Int) -> ViewMembers? {
    state.withLock { state in
      state.useCount += 1
      guard let entry = state.entries[view],
        let index = entry.versions.firstIndex(where: { $0.seqs.contains(seq) })
      else { return nil }
      entry.lastUse = state.useCount
      entry.versions.append(entry.versions.remove(at: index))
      return entry.versions.last?.members
    }
  }

  /// The items that a view shows of the newest version that they are remembered of, and its number.
  func newestMembers(_ view: View) -> (seq: Int, members: ViewMembers)? {
    state.withLock { state in
      let versions = state.entries[view]?.versions
      return versions?.max { $0.seqs.upperBound < $1.seqs.upperBound }
        .map { ($0.seqs.upperBound, $0.members) }
    }
  }

  /// Carries the items that a view shows of a version on to a newer one, by changes none of which touches it.
  ///
  /// Views with an order are only carried on where all items stay in place.
  func carry(
    _ view: View, from older: Int, to newer: Int, by changes: some Collection<ViewChanges>
  ) {
    state.withLock { state in
      guard let entry = state.entries[view],
        let index = entry.versions.firstIndex(where: { $0.seqs.upperBound == older })
      else { return }
      state.useCount += 1
      entry.lastUse = state.useCount
      let (seqs, members) = entry.versions[index]
      if changes.allSatisfy(\.isInPlace) {
        entry.versions[index].seqs = seqs.lowerBound...newer
      } else if members.order == nil {
        entry.versions[index] = (newer...newer, changes.reduce(members) { $0.kept(by: $1) })
        state.memberBytes += entry.versions[index].members.byteCount - members.byteCount
      }
    }
  }

  /// Remembers the items that a view shows of a version, beside those of one other version.
  ///
  /// `contentBytes` is the size of the collection's contents.
  func insert(_ members: ViewMembers, _ view: View, _ seq: Int, contentBytes: Int) {
    let (least, most) = (Self.memberBytes.lowerBound, Self.memberBytes.upperBound)
    let bytesMax = min(max(Self.contentsFactor * contentBytes, least), most)
    state.withLock { state in
      let entry = state.entries[view] ?? Entry(viewBytes: view.byteCount)
      state.memberBytes -= state.entries[view] == nil ? 0 : entry.byteCount
      entry.versions.removeAll { $0.seqs.contains(seq) }
      if entry.versions.count > 1 { entry.versions.removeFirst() }
      entry.versions.append((seq...seq, members))
      state.useCount += 1
      entry.lastUse = state.useCount
      state.entries[view] = entry
      state.memberBytes += entry.byteCount
      if state.memberBytes > bytesMax { state.evict(to: bytesMax / 4 * 3) }
    }
  }
}

extension ViewCache.State {
  /// The most versions at a time besides the head.
  private static let olderVersionsMax = 4

  fileprivate mutating func use(_ seq: Int, asHead: Bool) -> ViewableVersion? {
    guard let known = versions[seq], known.wasHead || !asHead else { return nil }
    useCount += 1
    versions[seq]?.lastUse = useCount
    return known.version
  }

  fileprivate mutating func insert(_ version: ViewableVersion, _ seq: Int, wasHead: Bool) {
    useCount += 1
    versions[seq] = (version, wasHead, useCount)
    let others = versions.filter { $0.key != head }
    guard others.count > Self.olderVersionsMax else { return }
    if let last = others.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      versions[last.key] = nil
    }
  }

  /// The most changes at a time.
  private static let changesMax = 8

  fileprivate mutating func add(_ changes: ViewChanges, from older: Int, to newer: Int) {
    if self.changes.count == Self.changesMax { self.changes.removeFirst() }
    self.changes.append((older, newer, changes))
  }

  /// Forgets the views that were used least recently.
  fileprivate mutating func evict(to goal: Int) {
    for (view, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      if memberBytes <= goal || entries.count == 1 { return }
      memberBytes -= entry.byteCount
      entries[view] = nil
    }
  }
}
