@testable import CollectionService
@testable import VersionedCollections

/// Knows what was committed and what users were told, and says what is wrong with an answer.
///
/// It has its own reader of JSON and applies deltas by itself.
/// `@unchecked Sendable`: a simulation has one thread.
final class Judge: @unchecked Sendable {
  let world: World
  let isShared: Bool
  let link: StoreLink
  let versionsMax: Int
  /// The history of each collection, in the order of commits.
  private(set) var commits: [CollectionKey: [SimulatedStore.Commit]] = [:]
  /// The place of a version in its collection's history.
  private var places: [VersionToken: Int] = [:]
  private(set) var pages: [VersionToken: Page] = [:]
  /// The versions by the other tokens that they have: for readers of the imposed view, and in the feed of changes.
  private var versions: [VersionToken: VersionToken] = [:]
  private let imposed: ViewRestriction
  /// What users were told of each collection.
  var calls: [CollectionKey: [History.Call]] = [:]
  /// Times at which somebody may have seen what a failover lost.
  private(set) var failovers: [ClosedRange<Microseconds>] = []
  /// Whether a failover may have lost something.
  private(set) var hasLost = false
  /// The versions that a failover has lost.
  private var lost: Set<VersionToken> = []
  /// The settings of each collection that are not as at first.
  private var settings: [CollectionKey: [String: Int]] = [:]
  /// The number of changes that were committed, also of those that were lost.
  private(set) var commitCount = 0
  var operations: [Int: Operation] = [:]

  init(_ world: World, _ link: StoreLink, isShared: Bool, versionsMax: Int) {
    (self.world, self.link, self.isShared) = (world, link, isShared)
    self.versionsMax = versionsMax
    do {
      imposed = try PageView.restriction
    } catch {
      preconditionFailure("the imposed view is wrong: \(error)")
    }
  }

  /// The tokens of a version besides its own.
  private func otherTokens(_ version: VersionToken, _ lineage: Lineage) -> [VersionToken] {
    [
      lineage.token(version, lineage.mark(imposed.canonicalText)), lineage.hiddenToken(version),
    ]
  }

  /// A version by its own token.
  func plain(_ version: VersionToken) -> VersionToken { versions[version] ?? version }

  /// Records a change that the store committed.
  func committed(_ commit: SimulatedStore.Commit) {
    let key = commit.key
    world.note(
      "\(key.client.text)/\(key.name.text) \(commit.after?.description ?? "deleted") by "
        + "\(commit.operation)")
    commits[key, default: []].append(commit)
    commitCount += 1
    guard let operation = operations[commit.operation], operation.writes[key] != nil else {
      return world.blame("nobody wrote \(commit.after?.description ?? "a deletion")")
    }
    checkPreconditions(operation, commit)
    if operation.isRefused { world.blame("\(operation.number) was refused, and wrote \(key.name)") }
    guard let after = commit.after else {
      settings[key] = nil
      if let before = commit.before, let other = operation.deleted.updateValue(before, forKey: key)
      {
        world.blame("\(operation.number) has deleted \(other) before")
      }
      return
    }
    if commit.before == nil { settings[key] = nil }
    if let before = commit.before, before.lineage != after.lineage || after.seq != before.seq + 1 {
      world.blame("\(after) follows \(before)")
    }
    if commit.before == nil, after.seq != 1 { world.blame("\(after) is a first version") }
    if places.updateValue(commits[key, default: []].count - 1, forKey: after) != nil {
      world.blame("\(after) was committed twice")
    }
    if let other = operation.versions.updateValue(after, forKey: key) {
      world.blame("\(operation.number) was carried out as \(other) and as \(after)")
    }
    pages[after] = operation.page(of: key, after: commit.before.flatMap { pages[$0] })
    guard let lineage = commit.lineage else { return world.blame("\(after) has no lineage") }
    for token in otherTokens(after, lineage) {
      (versions[token], pages[token]) = (after, pages[after])
    }
  }

  /// Records a change of settings, and judges whether all that were made before are still there.
  func configured(_ key: CollectionKey, _ number: Int, _ stored: StoredCollection?) {
    guard let operation = operations[number], case .settings(let name)? = operation.writes[key]
    else {
      return world.blame("nobody changed the settings of \(key.name)")
    }
    world.note("\(key.client.text)/\(key.name.text) has settings by \(number)")
    if operation.configured.updateValue(world.now, forKey: key) != nil {
      world.blame("\(number) has changed the settings twice")
    }
    if operation.isRefused { world.blame("\(number) was refused, and changed settings") }
    settings[key, default: [:]][name] = operation.setting
    if Self.settings(of: stored) != settings[key] {
      world.blame("\(number): settings \(Self.settings(of: stored)), not \(settings[key] ?? [:])")
    }
  }

  /// The settings that operations make; those that are as at first are left out.
  private static func settings(of stored: StoredCollection?) -> [String: Int] {
    let first = ServiceLimits().dataCountAnimationThreshold
    var settings: [String: Int] = [:]
    settings["dataCountAnimationThreshold"] = stored?.settings.dataCountAnimationThreshold
    settings["deltaCountAnimationThreshold"] = stored?.settings.deltaCountAnimationThreshold
    return settings.filter { $0.value != first }
  }

  /// Forgets what the store has lost.
  func failedOver(to store: SimulatedStore) {
    hasLost = true
    failovers.append(max(0, world.now - SimulatedStore.lagMax)...world.now + 3.seconds)
    for key in Users.singles + Users.twins {
      while let last = commits[key]?.last, last.time > store.time {
        commits[key]?.removeLast()
        operations[last.operation]?.isLost = true
        if let after = last.after {
          places[after] = nil
          lost.insert(after)
          operations[last.operation]?.versions[key] = nil
        } else {
          operations[last.operation]?.deleted[key] = nil
        }
        world.note("\(key.name.text): \(last.after?.description ?? "a deletion") is lost")
      }
      settings[key] = Self.settings(of: store.collections[key])
      // Settings that were lost may be made again.
      for operation in operations.values {
        if let time = operation.configured[key], time > store.time {
          (operation.configured[key], operation.isLost) = (nil, true)
        }
      }
    }
  }

  /// Whether the store has lost a version, which may have been made again since.
  func isLost(_ version: VersionToken) -> Bool { lost.contains(plain(version)) }

  // MARK: History

  func place(of version: VersionToken) -> Int? { places[plain(version)] }

  /// The place of a change in its collection's history; nil if it was lost.
  func place(of commit: SimulatedStore.Commit) -> Int? {
    commits[commit.key]?.lastIndex {
      $0.time == commit.time && $0.before == commit.before && $0.after == commit.after
    }
  }

  /// The place of the first deletion of a collection at a place in its history, or after it.
  func deletion(of key: CollectionKey, from place: Int) -> Int? {
    guard let history = commits[key], place < history.count else { return nil }
    return history[place...].firstIndex { $0.after == nil }
  }

  /// Whether a collection was deleted at some time in a range.
  func wasDeleted(_ key: CollectionKey, in range: ClosedRange<Microseconds>) -> Bool {
    commits[key]?.contains { $0.after == nil && range.contains($0.time) } ?? false
  }

  /// Whether so many versions were committed after one that it is no longer retained.
  func isCompacted(_ version: VersionToken, _ key: CollectionKey) -> Bool {
    commits[key]?.contains {
      $0.after?.lineage == version.lineage && ($0.after?.seq ?? 0) - version.seq >= versionsMax
    } ?? false
  }

  /// Whether a reader of a collection must be told of a change: what it has is older, and shows something else.
  func lacks(_ held: Held?, _ place: Int, _ key: CollectionKey, _ viewing: Viewing?) -> Bool {
    guard let history = commits[key] else { return false }
    if let held {
      if let viewing, history[place...].contains(where: { isSame(held, $0.after, viewing) }) {
        return false
      }
      guard let known = self.place(of: held.version), known < place else { return false }
      if history[known + 1..<place].allSatisfy({ $0.after != nil }) { return true }
    }
    // Who has nothing, or what was deleted, need not know what was there for a moment.
    return history[place...].allSatisfy { $0.after != nil }
  }

  /// The change after a version; nil if it is the newest.
  func successor(of version: VersionToken, _ key: CollectionKey) -> SimulatedStore.Commit? {
    guard let place = place(of: version), let history = commits[key], place + 1 < history.count
    else {
      return nil
    }
    return history[place + 1]
  }

  /// Whether the store was in trouble at some time in a range.
  func isTroubled(_ range: ClosedRange<Microseconds>) -> Bool {
    link.troubles.contains { $0.overlaps(range) }
  }
}
