import Authentication
import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// A stream, and what its reader has.
final class Following: @unchecked Sendable {
  let operation: Operation
  let keys: [CollectionKey]
  let replica: Replica
  var held: [CollectionKey: Held]
  /// The views that it has of collections.
  var viewings: [CollectionKey: Viewing]
  /// The place in its history of what it was told last of each collection.
  private var places: [CollectionKey: Int] = [:]
  /// Whether its connection takes events.
  var isWritable = true
  /// When it began, took events again, or was sent one.
  var lastSign: Microseconds = 0
  /// What ends it with its credential.
  var watch: AuthorizationWatch?
  /// Since when it takes events.
  var writableSince: Microseconds = 0

  init(
    _ operation: Operation, _ keys: [CollectionKey], _ replica: Replica,
    _ held: [CollectionKey: Held], _ viewings: [CollectionKey: Viewing]
  ) {
    (self.operation, self.keys, self.replica, self.held) = (operation, keys, replica, held)
    self.viewings = viewings
  }

  /// Returns whether news about a collection are older than what it was told before.
  func goesBack(_ key: CollectionKey, to held: Held?, _ judge: Judge) -> Bool {
    let known = places[key]
    let place: Int?
    if let held {
      place = judge.place(of: held.version)
    } else {
      // The first deletion after what it had.
      place = known.flatMap { judge.deletion(of: key, from: $0) }
    }
    if let place { places[key] = place }
    return known.map { known in place.map { $0 < known } ?? false } ?? false
  }

  /// Whether it could have been sent what is new since before a time.
  func isWaiting(since time: Microseconds) -> Bool {
    replica.isAlive && isWritable && writableSince < time - 100.milliseconds
  }
}

/// Readers of streams.
extension Users {
  /// Follows collections.
  func follow(_ operation: Operation, _ keys: [CollectionKey]) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    operation.dialect = reader.dialect
    var held = reader.held.filter { keys.contains($0.key) }
    if keys == Self.twins, !isWhole(held) { held = [:] }
    let viewings = viewings(of: keys, held, reader, operation)
    let (id, client) = (id(), keys[0].client)
    var request = FollowRequest(
      sync: SyncRequest(
        entries: keys.map { .init(name: $0.name, since: held[$0]?.version) },
        form: reader.dialect.form),
      ping: .seconds(5 + operation.generator.below(10)),
      lifetime: .seconds(10 + operation.generator.below(60)))
    send(operation) { [self] replica in
      guard let authorization = admit(reader, operation, keys, replica) else { return }
      impose(authorization, viewings, &request.sync, client)
      let shard = replica.shard(of: client)
      let following = Following(operation, keys, replica, held, viewings)
      // It is the same in all that follows.
      let request = request
      expectAnswer(operation, replica, within: 0)
      cut(operation, id, replica, shard)
      let begin: FollowStart = { [self] first in
        operation.isOver = true
        switch first {
        case .failure(let failure):
          close(operation, replica)
          if case .tooManyParked = failure.error {
            refusedPlace(operation, replica)
          } else {
            refused(failure.error, operation, [])
          }
          return nil
        case .success(let answer):
          streams[id] = following
          following.writableSince = world.now
          expectSign(following, id, request)
          let seconds = Int(request.lifetime / .seconds(1))
          expectEnd(following, id, in: seconds.seconds * 103 / 100 + 1.seconds)
          watch(authorization, reader, following, id, shard)
          receive(answer, following, arrival: operation.arrived)
          following.viewings = following.viewings.mapValues(\.held)
          return (sink: { [self] in take($0, following, id, shard, request) }, isWritable: true)
        }
      }
      open(operation, replica)
      replica.handle(
        .arrived(ReaderRequest(id: id, client: client, kind: .stream(request, begin))), shard)
    }
  }

  private func receive(_ answer: SyncAnswer, _ following: Following, arrival: Microseconds) {
    let operation = following.operation
    world.note(
      "stream \(operation.number): \(answer.news.map { "\($0.name.text) \($0.answer.kindText)" })")
    following.held = judged(
      answer, following.keys, following.held, following.viewings, arrival, operation)
    for news in answer.news {
      let key = CollectionKey(client: following.keys[0].client, name: news.name)
      if following.goesBack(key, to: following.held[key], judge),
        !judge.hasLost
      {
        world.blame("stream \(operation.number) goes back in the history of \(key.name)")
      }
    }
  }

  /// Has it found out if a stream is sent nothing for longer than the time between pings.
  private func expectSign(_ following: Following, _ id: UInt64, _ request: FollowRequest) {
    let time = world.now
    following.lastSign = time
    let seconds = Int(request.ping / .seconds(1))
    world.after(seconds.seconds * 103 / 100 + 1.seconds) { [self] in
      guard streams[id] === following, following.lastSign == time, following.isWritable,
        following.replica.isAlive, !judge.isTroubled(time...world.now)
      else { return }
      world.blame("stream \(following.operation.number) is not pinged")
    }
  }

  /// Has it found out if a stream does not end; while the store is in trouble it may be loading something.
  private func expectEnd(
    _ following: Following, _ id: UInt64, in delay: Microseconds
  ) {
    world.after(delay) { [self] in
      guard streams[id] === following, following.replica.isAlive else { return }
      if judge.isTroubled(max(0, world.now - 4.seconds)...world.now) {
        return expectEnd(following, id, in: 4.seconds)
      }
      world.blame("stream \(following.operation.number) does not end")
    }
  }

  /// Takes an event; afterwards the connection may be full for a while.
  private func take(
    _ event: FollowEvent, _ following: Following, _ id: UInt64, _ shard: Int,
    _ request: FollowRequest
  ) -> Bool {
    let operation = following.operation
    if !following.isWritable, case .news = event {
      world.blame("stream \(operation.number) is sent what it cannot take")
    }
    if operation.isCut { world.blame("stream \(operation.number) is sent something after its end") }
    switch event {
    // What a stream is sent need only be newer than what it has.
    case .news(let answer):
      // A bookmark is of views.
      if answer.news.isEmpty, following.viewings.isEmpty {
        world.blame("stream \(operation.number) is sent nothing")
      }
      receive(answer, following, arrival: 0)
    case .ping: world.note("stream \(operation.number): ping")
    case .end(let reason):
      world.note("stream \(operation.number): end \(reason.rawValue)")
      close(operation, following.replica)
      if streams.removeValue(forKey: id) == nil {
        world.blame("stream \(operation.number) ends twice")
      }
      return false
    }
    expectSign(following, id, request)
    guard operation.generator.below(5) == 0 else { return true }
    following.isWritable = false
    world.after(operation.generator.below(3.seconds)) { [self] in
      following.isWritable = true
      following.writableSince = world.now
      expectSign(following, id, request)
      following.replica.handle(.writable(id), shard)
    }
    return false
  }

  /// Follows the feed of all changes, from now on or from where another stream ended.
  func followFeed(_ operation: Operation) {
    let id = id()
    send(operation) { [self] replica in
      let earlier = operation.generator.below(3) > 0 ? lastFeed : nil
      let feed = FeedReading(operation, replica, after: earlier)
      let request = ChangesRequest(
        since: earlier?.last, ping: .seconds(15), lifetime: .seconds(20))
      expectAnswer(operation, replica, within: 0)
      cut(operation, id, replica, 0)
      let begin: ChangesStart = { [self] error in
        operation.isOver = true
        if let error {
          close(operation, replica)
          if case .tooManyParked = error {
            refusedPlace(operation, replica)
          } else {
            refused(error, operation, [])
          }
          return nil
        }
        feed.begin = world.now
        if earlier == nil { feed.start = world.now }
        feeds[id] = feed
        return { [self] event in
          feed.take(event, judge, world)
          if case .end = event {
            close(operation, replica)
            if let feed = feeds.removeValue(forKey: id) { lastFeed = feed }
          }
          return true
        }
      }
      open(operation, replica)
      replica.handle(
        .arrived(ReaderRequest(id: id, client: .changes, kind: .feed(request, begin))), 0)
      // What was missed before it began must have come by then.
      world.after(8.seconds) { [self] in
        if replica.isAlive, !operation.isCut, feed.begin > 0 { feed.judge(judge, world) }
      }
    }
  }
}
