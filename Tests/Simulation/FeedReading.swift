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
  private var newest: [CollectionKey: CollectionChange] = [:]

  init(_ operation: Operation, _ replica: Replica, after earlier: FeedReading?) {
    (self.operation, self.replica) = (operation, replica)
    guard let earlier else { return }
    (start, last, newest) = (earlier.start, earlier.last, earlier.newest)
  }

  /// Whether it has been waiting since before a time.
  func isWaiting(since time: Microseconds) -> Bool {
    replica.isAlive && !operation.isCut && begin > 0 && max(begin, start) < time - 100.milliseconds
  }

  func take(_ event: ChangeEvent, _ judge: Judge, _ world: World) {
    let name = "feed \(operation.number)"
    switch event {
    case .changes(let changes):
      world.note("\(name): \(changes.count) changes")
      for (mark, change) in changes {
        if let last, last.epoch == mark.epoch, mark.number <= last.number {
          world.blame("\(name): \(mark) after \(last)")
        }
        last = mark
        newest[change.key] = change
        if judge.place(of: change.version) == nil, !judge.isLost(change.version) {
          world.blame("\(name): \(change.version) was never committed")
        }
      }
    case .bookmark(let mark): last = mark
    // Its reader reads all collections then.
    case .incomplete(let mark, _):
      world.note("\(name): incomplete")
      (last, start, newest) = (mark, world.now, [:])
    case .ping, .end: break
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
