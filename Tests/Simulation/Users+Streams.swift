import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// A stream, and what its reader has.
final class Following: @unchecked Sendable {
  let operation: Operation
  let keys: [CollectionKey]
  let replica: Replica
  var held: [CollectionKey: Held]
  /// Whether its connection takes events.
  var isWritable = true

  init(
    _ operation: Operation, _ keys: [CollectionKey], _ replica: Replica,
    _ held: [CollectionKey: Held]
  ) {
    (self.operation, self.keys, self.replica, self.held) = (operation, keys, replica, held)
  }
}

/// Readers of streams.
extension Users {
  /// Follows collections.
  func follow(_ operation: Operation, _ keys: [CollectionKey]) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    var held = reader.held.filter { keys.contains($0.key) }
    if keys == Self.twins, !Self.isWhole(held) { held = [:] }
    let (id, client) = (id(), keys[0].client)
    let request = FollowRequest(
      sync: SyncRequest(
        entries: keys.map { .init(name: $0.name, since: held[$0]?.version) },
        form: form(operation)),
      ping: .seconds(5 + operation.generator.below(10)),
      lifetime: .seconds(10 + operation.generator.below(60)))
    send(operation) { [self] replica in
      let shard = replica.shard(of: client)
      let following = Following(operation, keys, replica, held)
      expectAnswer(operation, replica, within: 0)
      cut(operation, id, replica, shard)
      let begin: FollowStart = { [self] first in
        operation.isOver = true
        switch first {
        case .failure(let failure):
          refused(failure.error, operation, [])
          return nil
        case .success(let answer):
          streams[id] = following
          receive(answer, following, arrival: operation.arrived)
          return (sink: { [self] in take($0, following, id, shard) }, isWritable: true)
        }
      }
      replica.handle(
        .arrived(ReaderRequest(id: id, client: client, kind: .stream(request, begin))), shard)
    }
  }

  private func receive(_ answer: SyncAnswer, _ following: Following, arrival: Microseconds) {
    let number = following.operation.number
    world.note("stream \(number): \(answer.news.map { "\($0.name.text) \($0.answer.kindText)" })")
    following.held = judged(
      answer, following.keys, following.held, arrival, "stream \(number)")
  }

  /// Takes an event; afterwards the connection may be full for a while.
  private func take(
    _ event: FollowEvent, _ following: Following, _ id: UInt64, _ shard: Int
  ) -> Bool {
    let operation = following.operation
    if !following.isWritable, case .news = event {
      world.blame("stream \(operation.number) is sent what it cannot take")
    }
    switch event {
    // What a stream is sent need only be newer than what it has.
    case .news(let answer): receive(answer, following, arrival: 0)
    case .ping: world.note("stream \(operation.number): ping")
    case .end(let reason):
      world.note("stream \(operation.number): end \(reason.rawValue)")
      if streams.removeValue(forKey: id) == nil {
        world.blame("stream \(operation.number) ends twice")
      }
      return false
    }
    guard operation.generator.below(5) == 0 else { return true }
    following.isWritable = false
    world.after(operation.generator.below(3.seconds)) {
      following.isWritable = true
      following.replica.handle(.writable(id), shard)
    }
    return false
  }

  /// Follows the feed of all changes.
  func followFeed(_ operation: Operation) {
    let id = id()
    let request = ChangesRequest(since: nil, ping: .seconds(15), lifetime: .seconds(20))
    send(operation) { [self] replica in
      let feed = FeedReading(operation, startedAt: world.now)
      expectAnswer(operation, replica, within: 0)
      cut(operation, id, replica, 0)
      let begin: ChangesStart = { [self] error in
        operation.isOver = true
        if let error {
          refused(error, operation, [])
          return nil
        }
        feed.begin = world.now
        return { [self] event in
          feed.take(event, judge, world)
          return true
        }
      }
      replica.handle(
        .arrived(ReaderRequest(id: id, client: .changes, kind: .feed(request, begin))), 0)
      // Half a minute of changes must have come by then.
      world.after(8.seconds) { [self] in
        if replica.isAlive, !operation.isOver || feed.begin > 0 { feed.judge(judge, world) }
      }
    }
  }
}

/// What a reader of the feed was sent.
final class FeedReading: @unchecked Sendable {
  private let operation: Operation
  var begin: Microseconds = 0
  private var isIncomplete = false
  private var last: ChangeMark?
  private var newest: [CollectionKey: CollectionChange] = [:]

  init(_ operation: Operation, startedAt time: Microseconds) { self.operation = operation }

  func take(_ event: ChangeEvent, _ judge: Judge, _ world: World) {
    switch event {
    case .changes(let changes):
      world.note("feed \(operation.number): \(changes.count) changes")
      for (mark, change) in changes {
        if let last, last.epoch == mark.epoch, mark.number <= last.number {
          world.blame("feed \(operation.number): \(mark) after \(last)")
        }
        last = mark
        newest[change.key] = change
        if judge.place(of: change.version) == nil {
          world.blame("feed \(operation.number): \(change.version) was never committed")
        }
      }
    case .bookmark(let mark): last = mark
    case .incomplete(let mark, _): (isIncomplete, last) = (true, mark)
    case .ping, .end: break
    }
  }

  /// Judges whether everything came that was committed since the beginning until a while ago.
  func judge(_ judge: Judge, _ world: World) {
    let range = max(0, begin - 1.seconds)...world.now
    guard begin > 0, !isIncomplete, !operation.isCut, !judge.isTroubled(range) else { return }
    for key in Users.singles + Users.twins {
      let due = judge.commits[key]?.last {
        $0.time > begin + 10.milliseconds && $0.time < world.now - 3.seconds
      }
      guard let due else { continue }
      let place = newest[key].flatMap { judge.place(of: $0.version) } ?? -1
      let wanted = (due.after ?? due.before).flatMap { judge.place(of: $0) } ?? 0
      if place < wanted {
        world.blame("feed \(operation.number): nothing of \(key.name.text) at \(due.time)")
      }
    }
  }
}
