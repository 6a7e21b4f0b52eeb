@testable import CollectionService
@testable import VersionedCollections

/// Knows what was committed and what was acknowledged, and says what is wrong with an answer.
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
  /// When a writer was told of a change.
  private var acknowledged: [VersionToken: Microseconds] = [:]
  var operations: [Int: Operation] = [:]

  init(_ world: World, _ link: StoreLink, isShared: Bool, versionsMax: Int) {
    (self.world, self.link, self.isShared) = (world, link, isShared)
    self.versionsMax = versionsMax
  }

  /// Records a change that the store committed.
  func committed(_ commit: SimulatedStore.Commit) {
    let key = commit.key
    world.note(
      "\(key.client.text)/\(key.name.text) \(commit.after?.description ?? "deleted") by "
        + "\(commit.operation ?? -1)")
    commits[key, default: []].append(commit)
    guard let after = commit.after else { return }
    if let before = commit.before, before.lineage == after.lineage, after.seq != before.seq + 1 {
      world.blame("\(after) follows \(before)")
    }
    if commit.before?.lineage != after.lineage, after.seq != 1 {
      world.blame("\(after) is a first version")
    }
    if places.updateValue(commits[key, default: []].count - 1, forKey: after) != nil {
      world.blame("\(after) was committed twice")
    }
    guard let operation = commit.operation.flatMap({ operations[$0] }), operation.writes[key] != nil
    else { return world.blame("nobody wrote \(after)") }
    if let other = operation.versions.updateValue(after, forKey: key) {
      world.blame("\(operation.number) was carried out as \(other) and as \(after)")
    }
    if operation.isRefused { world.blame("\(operation.number) was refused, and made \(after)") }
    pages[after] = operation.page(of: key, after: commit.before.flatMap { pages[$0] })
  }

  /// Records that a writer was told of a change.
  func acknowledge(_ version: VersionToken) {
    acknowledged[version] = acknowledged[version] ?? world.now
  }

  // MARK: History

  func place(of version: VersionToken) -> Int? { places[version] }

  /// The change after a version; nil if it is the newest.
  func successor(of version: VersionToken, _ key: CollectionKey) -> SimulatedStore.Commit? {
    guard let place = places[version], let history = commits[key], place + 1 < history.count else {
      return nil
    }
    return history[place + 1]
  }

  /// Whether a version was the newest at some time in a range.
  func wasHead(
    _ version: VersionToken?, _ key: CollectionKey, in range: ClosedRange<Microseconds>
  ) -> Bool {
    var start = 0
    var head: VersionToken?
    for commit in commits[key] ?? [] {
      if head == version, start <= range.upperBound, commit.time >= range.lowerBound { return true }
      (head, start) = (commit.after, commit.time)
    }
    return head == version && start <= range.upperBound
  }

  /// Whether a version was the newest during all of a range.
  func wasAlwaysHead(
    _ version: VersionToken?, _ key: CollectionKey, in range: ClosedRange<Microseconds>
  ) -> Bool {
    let history = commits[key] ?? []
    let before = history.last { $0.time < range.lowerBound }
    return before?.after == version && !history.contains { range.contains($0.time) }
  }

  /// Whether the store was in trouble at some time in a range.
  func isTroubled(_ range: ClosedRange<Microseconds>) -> Bool {
    link.troubles.contains { $0.overlaps(range) }
  }

  /// How old an answer may be when the request comes.
  var staleness: Microseconds { 1.seconds + 10.milliseconds }

  /// Whether a request that came at a time must know of a change.
  func mustBeKnown(_ commit: SimulatedStore.Commit, to arrival: Microseconds) -> Bool {
    if isShared { return commit.time < arrival - staleness }
    guard let version = commit.after else { return commit.time < arrival - 3.seconds }
    return acknowledged[version].map { $0 < arrival } ?? false
  }
}
