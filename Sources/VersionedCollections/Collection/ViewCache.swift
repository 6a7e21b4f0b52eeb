import Synchronization

/// What is remembered of the views of one collection, as long as its settings stay the same.
///
/// All of it can be made again. What was used least recently goes when there is too much.
package final class ViewCache: Sendable {
  /// What is known of a view: the items that it shows of the two versions it was last asked for, least recently first.
  fileprivate struct Entry {
    var versions: [(seq: Int, members: ViewMembers)] = []
    var lastUse = 0
    /// The approximate size of the view in bytes.
    let viewBytes: Int
    var byteCount: Int { versions.reduce(overhead + viewBytes) { $0 + $1.members.byteCount } }
  }

  fileprivate struct State {
    var entries: [View: Entry] = [:]
    /// The versions that were viewed since there is this head, by their numbers.
    var versions: [Int: ViewableVersion] = [:]
    /// The number of that head.
    var head = 0
    /// What changed between versions, as all views see it; what was computed last is last.
    var changes: [(from: Int, to: Int, changes: ViewChanges)] = []
    var memberBytes = 0
    var useCount = 0
  }

  private let state = Mutex(State())

  /// About how much the items that views show may take: so many times the contents, within these bounds in bytes.
  private static let (contentsFactor, memberBytes) = (4, (64 << 10)...(64 << 20))
  /// The most older versions at a time.
  private static let olderVersionsMax = 4
  /// The approximate size of an entry in bytes, without its items.
  fileprivate static let overhead = 512

  package init() {}

  /// The approximate size in bytes.
  var byteCount: Int {
    state.withLock { state in
      let others = state.versions.reduce(0) { sum, version in
        let own = version.value.contents.ownByteCount + 28 * version.value.itemCount
        return sum + version.value.byteCount + (version.key == state.head ? 0 : own)
      }
      return state.memberBytes + state.changes.reduce(others) { $0 + $1.changes.byteCount }
    }
  }

  /// The number of views that are remembered.
  package var count: Int { state.withLock { $0.entries.count } }

  // MARK: Versions

  /// Returns a version as views see it; makes it if it is not remembered.
  func version(_ seq: Int, head: Int, _ make: () -> ViewableVersion) -> ViewableVersion {
    let known = state.withLock { $0.head == head ? $0.versions[seq] : nil }
    if let known { return known }
    let version = make()
    insert(version, seq, head: head)
    return version
  }

  /// Remembers a version as views see it; those of another head go.
  func insert(_ version: ViewableVersion, _ seq: Int, head: Int) {
    state.withLock { state in
      if state.head != head {
        let last = state.versions[state.head]
        if let last, seq == head {
          state.add(ViewChanges(from: last, to: version), from: state.head, to: head)
        }
        state.versions = [:]
        state.head = head
      } else if state.versions.count > Self.olderVersionsMax {
        state.versions = state.versions.filter { $0.key == head }
      }
      state.versions[seq] = version
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
      guard var entry = state.entries[view],
        let index = entry.versions.firstIndex(where: { $0.seq == seq })
      else { return nil }
      entry.lastUse = state.useCount
      entry.versions.append(entry.versions.remove(at: index))
      state.entries[view] = entry
      return entry.versions.last?.members
    }
  }

  /// The items that a view shows of the newest version that they are remembered of, and its number.
  func newestMembers(_ view: View) -> (seq: Int, members: ViewMembers)? {
    state.withLock { $0.entries[view]?.versions.max { $0.seq < $1.seq } }
  }

  /// Remembers the items that a view shows of a version, beside those of one other version.
  ///
  /// `contentBytes` is the size of the collection's contents.
  func insert(_ members: ViewMembers, _ view: View, _ seq: Int, contentBytes: Int) {
    let (least, most) = (Self.memberBytes.lowerBound, Self.memberBytes.upperBound)
    let bytesMax = min(max(Self.contentsFactor * contentBytes, least), most)
    state.withLock { state in
      var entry = state.entries[view] ?? Entry(viewBytes: view.byteCount)
      state.memberBytes -= state.entries[view] == nil ? 0 : entry.byteCount
      entry.versions.removeAll { $0.seq == seq }
      if entry.versions.count > 1 { entry.versions.removeFirst() }
      entry.versions.append((seq, members))
      state.useCount += 1
      entry.lastUse = state.useCount
      state.entries[view] = entry
      state.memberBytes += entry.byteCount
      if state.memberBytes > bytesMax { state.evict(to: bytesMax / 4 * 3) }
    }
  }
}

extension ViewCache.State {
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
