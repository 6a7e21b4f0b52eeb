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
  /// Whether its credential let it in.
  let wasAllowed: Bool
  /// Whether it has been sent anything yet.
  var hasBegun = false
  /// The longest time between two signs.
  var ping: Microseconds = 0
  /// Whether it has been told why it ends.
  var hasEnd = false
  /// Since when it takes events.
  var writableSince: Microseconds = 0

  init(
    _ operation: Operation, _ keys: [CollectionKey], _ replica: Replica,
    _ held: [CollectionKey: Held], _ viewings: [CollectionKey: Viewing], wasAllowed: Bool
  ) {
    (self.operation, self.keys, self.replica, self.held) = (operation, keys, replica, held)
    (self.viewings, self.wasAllowed) = (viewings, wasAllowed)
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
  /// How long the streams of a replica live, in milliseconds.
  static let streamLifetimes = 10_000...70_000

  /// Follows collections.
  func follow(_ operation: Operation, _ keys: [CollectionKey]) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    operation.dialect = reader.dialect
    var held = reader.held.filter { keys.contains($0.key) }
    if keys == Self.twins, !isWhole(held) { held = [:] }
    let ping = 5 + operation.generator.below(10)
    // A stream of several collections has no views but those that are imposed.
    let viewings =
      keys.count > 1
      ? imposedViewings(of: keys, reader) : self.viewings(of: keys, held, reader, operation)
    if keys.count > 1, !reader.views.isEmpty { held = [:] }
    var request = Request("GET", keys[0], "/delta")
    if keys.count > 1 {
      request.path = "/v1/clients/\(keys[0].client.text)/sync"
      let entries = keys.map { "\($0.name.text):\(held[$0]?.version.description ?? "")" }
      request.parameters.append(("collections", entries.joined(separator: ",")))
    } else {
      if let held = held[keys[0]] {
        request.parameters.append(("since", held.version.description))
      }
      if let viewing = viewings[keys[0]] { request.parameters += viewing.parameters }
    }
    request.parameters += [("dialect", reader.dialect.name), ("ping", "\(ping)")]
    if operation.generator.below(2) == 0 { request.parameters.append(("missing", "wait")) }
    request.fields.append(("Accept", "text/event-stream"))
    let streamBytesMax = operation.generator.below(2) == 0 ? 0 : 1 << 20
    send(operation) { [self, request, held] replica in
      let wasAllowed = self.keys.allow(reader.number, keys, at: replica.host.date)
      let following = Following(
        operation, keys, replica, held, viewings, wasAllowed: wasAllowed)
      following.ping = ping.seconds
      expectAnswer(operation, replica, within: 0)
      ask(
        operation, request, as: reader, about: keys, replica, streamBytesMax: streamBytesMax
      ) { [self] response in
        if let code = response.code { return refused(code, operation, []) }
        guard response.isStream else { return world.blame("\(operation.number): no stream") }
        begin(following, reader)
      } receiveEvent: { [self] event in
        guard let event else { return ended(following) }
        take(event, following)
      }
    }
  }

  private func begin(_ following: Following, _ reader: Reader) {
    let number = following.operation.number
    streams[number] = following
    following.writableSince = world.now
    expectSign(following)
    let milliseconds = Self.streamLifetimes.upperBound
    expectEnd(following, in: milliseconds.milliseconds * 103 / 100 + 1.seconds)
    checkCredential(reader, following, since: nil)
    // What is known is told at once.
    world.after(1000) { [self] in
      let key = following.keys[0]
      guard streams[number] === following, !following.hasBegun, following.wasAllowed else { return }
      if following.keys.count > 1 || following.held[key] != nil {
        world.blame("stream \(number) is told nothing")
      } else {
        judge.waited(following.operation, for: key, nil)
      }
    }
  }

  private func receive(_ answer: SyncReading, _ following: Following) {
    let operation = following.operation
    world.note(
      "stream \(operation.number): \(answer.news.map { "\($0.name) \($0.answer.kind)" })")
    // What comes later need only be newer than what the reader has.
    let arrival = following.hasBegun ? 0 : operation.arrived
    if !following.hasBegun, !following.wasAllowed {
      world.blame("stream \(operation.number) is let in")
    }
    following.held = judged(
      answer, following.keys, following.held, following.viewings, arrival, operation)
    for (name, _) in answer.news {
      for key in following.keys where key.name.text == name {
        if following.goesBack(key, to: following.held[key], judge), !judge.hasLost {
          world.blame("stream \(operation.number) goes back in the history of \(name)")
        }
      }
    }
    following.hasBegun = true
    following.viewings = following.viewings.mapValues(\.held)
  }

  /// Has it found out if a stream is sent nothing for longer than the time between pings.
  private func expectSign(_ following: Following) {
    let time = world.now
    following.lastSign = time
    world.after(following.ping * 103 / 100 + 1.seconds) { [self] in
      guard streams[following.operation.number] === following, following.lastSign == time,
        following.isWritable, following.replica.isAlive, !judge.isTroubled(time...world.now)
      else { return }
      world.blame("stream \(following.operation.number) is not pinged")
    }
  }

  /// Has it found out if a stream does not end; while the store is in trouble it may be loading something.
  private func expectEnd(_ following: Following, in delay: Microseconds) {
    world.after(delay) { [self] in
      guard streams[following.operation.number] === following, following.replica.isAlive else {
        return
      }
      // Who does not read does not see the end.
      if !following.isWritable || judge.isTroubled(max(0, world.now - 4.seconds)...world.now) {
        return expectEnd(following, in: 4.seconds)
      }
      world.blame("stream \(following.operation.number) does not end")
    }
  }

  /// Takes an event; afterwards its reader may not read for a while.
  private func take(_ event: SourceEvent, _ following: Following) {
    let operation = following.operation
    let number = operation.number
    guard let text = event.text else {
      return world.blame("stream \(number): not JSON: \(event.data)")
    }
    switch event.name {
    case "ping": world.note("stream \(number): ping")
    case "end":
      let reason = text["reason"]?.string ?? ""
      world.note("stream \(number): end \(reason)")
      following.hasEnd = true
      if reason == "overload", !following.hasBegun { judgeOverload(following) }
      return
    case "problem":
      world.note("stream \(number): \(text["code"]?.string ?? "")")
      if following.keys.contains(where: { following.held[$0] != nil }) {
        world.blame("stream \(number) is told a problem")
      }
    case "sync":
      guard let answer = SyncReading(text) else {
        return world.blame("stream \(number): \(event.data)")
      }
      receive(answer, following)
    default:
      guard let answer = Answer(text) else {
        return world.blame("stream \(number): \(event.data)")
      }
      if following.viewings.isEmpty, following.hasBegun, answer.kind == .unchanged {
        world.blame("stream \(number) is sent nothing")
      }
      receive(SyncReading(following.keys[0].name.text, answer), following)
    }
    expectSign(following)
    if operation.generator.below(5) == 0 { stall(following) }
  }

  /// Has a reader read no more for a while.
  private func stall(_ following: Following) {
    let operation = following.operation
    following.isWritable = false
    operation.exchange?.stall()
    world.after(operation.generator.below(3.seconds)) { [self] in
      following.isWritable = true
      following.writableSince = world.now
      expectSign(following)
      guard let exchange = operation.exchange else { return }
      if exchange.streamBytesMax == 0, exchange.newsCount > 1 {
        world.blame("stream \(operation.number) is sent what it cannot take")
      }
      exchange.resume()
    }
  }

  private func ended(_ following: Following) {
    let number = following.operation.number
    close(following.operation, following.replica)
    if !following.hasEnd { world.blame("stream \(number) ends without a reason") }
    if streams.removeValue(forKey: number) == nil { world.blame("stream \(number) ends twice") }
  }

  /// Judges a stream that was opened only to be ended.
  private func judgeOverload(_ following: Following) {
    // The store may have failed to load what it needs.
    let arrival = following.operation.arrived
    if judge.isTroubled(max(0, arrival - 4.seconds)...world.now) { return }
    close(following.operation, following.replica)
    refusedPlace(following.operation, following.replica)
  }

  /// Has it found out if a stream goes on without its credential: once a second; `since` is when the credential was
  /// seen to have ended.
  private func checkCredential(
    _ reader: Reader, _ following: Following, since: Microseconds?
  ) {
    world.after(1.seconds) { [self] in
      let number = following.operation.number
      guard streams[number] === following, following.replica.isAlive else { return }
      let isAllowed = keys.allow(
        reader.number, following.keys, at: following.replica.host.date)
      // Who does not read does not see the end.
      let since = isAllowed || !following.isWritable ? nil : since ?? world.now
      if let since, world.now - since > 1500.milliseconds {
        world.blame("stream \(number) goes on without a credential")
      }
      checkCredential(reader, following, since: since)
    }
  }

  // MARK: The feed

  /// Follows the feed of all changes, from now on or from where another stream ended.
  func followFeed(_ operation: Operation) {
    send(operation) { [self] replica in
      let earlier = operation.generator.below(3) > 0 ? lastFeed : nil
      let feed = FeedReading(operation, replica, after: earlier)
      var request = Request("GET", "/v1/changes")
      if let mark = earlier?.last { request.parameters.append(("since", mark.description)) }
      request.fields.append(("Accept", "text/event-stream"))
      expectAnswer(operation, replica, within: 0)
      ask(operation, request, as: feedReader, about: [], replica) { [self] response in
        if let code = response.code { return refused(code, operation, []) }
        feed.begin = world.now
        if earlier == nil { feed.start = world.now }
        feeds[operation.number] = feed
      } receiveEvent: { [self] event in
        if let event { return feed.take(event, judge, world) }
        close(operation, replica)
        guard let feed = feeds.removeValue(forKey: operation.number) else { return }
        if feed.isRefused {
          let range = max(0, operation.arrived - 4.seconds)...world.now
          if !judge.isTroubled(range) { refusedPlace(operation, replica) }
        } else {
          lastFeed = feed
        }
      }
      // What was missed before it began must have come by then.
      world.after(8.seconds) { [self] in
        if replica.isAlive, !operation.isCut, feed.begin > 0, !feed.isRefused {
          feed.judge(judge, world)
        }
      }
    }
  }
}
