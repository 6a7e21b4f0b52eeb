import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// What a reader of the feed was sent, on one stream and those before.
final class FeedReading: @unchecked Sendable {
  let operation: Operation
  private let replica: Replica
  /// When this stream began.
  var begin: Microseconds = 0
  /// Since when the reader has all changes.
  var start: Microseconds = 0
  private(set) var last: ChangeMark?
  private var newest: [CollectionKey: (version: VersionToken, isDeleted: Bool)] = [:]
  /// Whether it has been sent anything.
  private var hasBegun = false
  /// Whether it was opened only to be ended.
  private(set) var isRefused = false

  init(_ operation: Operation, _ replica: Replica, after earlier: FeedReading?) {
    (self.operation, self.replica) = (operation, replica)
    guard let earlier else { return }
    (start, last, newest) = (earlier.start, earlier.last, earlier.newest)
  }

  /// Whether it has been waiting since before a time.
  func isWaiting(since time: Microseconds) -> Bool {
    replica.isAlive && !operation.isCut && begin > 0 && max(begin, start) < time - 100.milliseconds
  }

  /// Takes an event.
  func take(_ event: SourceEvent, _ judge: Judge, _ world: World) {
    let name = "feed \(operation.number)"
    world.note("\(name): \(event.name)")
    switch event.name {
    case "ping": return
    case "end":
      if !hasBegun { isRefused = event.text?["reason"]?.string == "overload" }
      return
    default: hasBegun = true
    }
    guard let mark = ChangeMark(event.id ?? "") else {
      return world.blame("\(name): the mark \(event.id ?? "-")")
    }
    switch event.name {
    case "bookmark": last = mark
    // Its reader reads all collections then.
    case "reset": (last, start, newest) = (mark, world.now, [:])
    default: take(event, mark, judge, world)
    }
  }

  private func take(
    _ event: SourceEvent, _ mark: ChangeMark, _ judge: Judge, _ world: World
  ) {
    let name = "feed \(operation.number)"
    if let last, last.epoch == mark.epoch, mark.number <= last.number {
      world.blame("\(name): \(mark) after \(last)")
    }
    last = mark
    guard let text = event.text, let client = text["client"]?.string.flatMap(ResourceName.init),
      let collection = text["name"]?.string.flatMap(ResourceName.init),
      let version = text["version"]?.string.flatMap(VersionToken.init)
    else { return world.blame("\(name): \(event.data)") }
    newest[CollectionKey(client: client, name: collection)] = (version, event.name == "deleted")
    if judge.place(of: version) == nil, !judge.isLost(version) {
      world.blame("\(name): \(version) was never committed")
    }
  }

  /// Whether it was not sent a change, nor one after it.
  func lacks(_ commit: SimulatedStore.Commit, _ judge: Judge) -> Bool {
    guard commit.time > start + 10.milliseconds else { return false }
    let place = newest[commit.key].flatMap { change in
      judge.place(of: change.version).map { $0 + (change.isDeleted ? 1 : 0) }
    }
    return (place ?? -1) < (judge.place(of: commit) ?? -1)
  }

  /// Judges whether everything came that was committed since the start until a while ago.
  func judge(_ judge: Judge, _ world: World) {
    guard !judge.isTroubled(max(0, start - 1.seconds)...world.now) else { return }
    for key in Users.singles + Users.twins {
      let due = judge.commits[key]?.last { $0.time < world.now - 3.seconds }
      if let due, lacks(due, judge) {
        world.blame("feed \(operation.number): nothing of \(key.name.text) at \(due.time)")
      }
    }
  }
}
