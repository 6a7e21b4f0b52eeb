import DeltaEngine
import LiveDeltaClient
import LiveDeltaCurl

/// Plays versions through a service: a writer PUTs them, and a reader follows by long polling.
///
/// After each version the reader must hold exactly what was written, and the engine's simulator
/// must accept every step. A second reader resumes from a random older version and must reach the
/// newest with one answer.
struct ReplayRun {
  private let writer: DeltaClient
  private let reader: DeltaClient
  private let collection: CollectionAddress
  private var generator: SplitMix
  private var follower: CollectionFollower
  private var older: [CollectionReplica] = []
  private(set) var statistics = ReplayStatistics()

  init(_ address: ServerAddress, _ collection: CollectionAddress, seed: UInt64) {
    writer = DeltaClient(address, transport: CurlTransport())
    reader = DeltaClient(address, transport: CurlTransport())
    self.collection = collection
    generator = SplitMix(state: seed)
    follower = CollectionFollower(reader, collection)
  }

  /// Writes a version, lets the readers follow, and checks what they hold.
  mutating func play(_ version: ReplayVersion) async throws(ClientError) {
    statistics.versions += 1
    let faults = statistics.faults.count
    let clock = ContinuousClock()
    let start = clock.now
    let change = try await write(version)
    if case .updated(let update) = change { check(update, version, "the reader") }
    compare(follower.replica, version, "the reader")
    if !older.isEmpty { try await catchUp(to: version) }
    older.append(follower.replica)
    statistics.total += start.duration(to: clock.now)
    if statistics.faults.count == faults { statistics.exact += 1 }
  }

  func cleanUp() async throws(ClientError) { try await writer.delete(collection) }

  // MARK: Following

  private mutating func write(
    _ version: ReplayVersion
  ) async throws(ClientError) -> ReplicaChange {
    // The reader waits during the write, except for the first version, before which nothing exists.
    let isFirst = follower.replica.version == nil
    let waiting = isFirst ? nil : Waiting(follower)
    do {
      let clock = ContinuousClock()
      let start = clock.now
      let receipt = try await writer.put(version.body, to: collection).value
      statistics.putTimes.append(start.duration(to: clock.now))
      if !isFirst && receipt.changed { statistics.snapshotBytes += version.body.count }
      guard receipt.changed, let waiting else {
        // Nothing changed, so waiting would not end: ask without waiting.
        waiting?.stop()
        return try await follow(wait: nil)
      }
      let (news, follower) = try await waiting.result()
      return count(news, follower)
    } catch {
      waiting?.stop()
      throw error
    }
  }

  private mutating func follow(wait: Int?) async throws(ClientError) -> ReplicaChange {
    var follower = follower
    let news = try await follower.next(wait: wait)
    return count(news, follower)
  }

  private mutating func count(
    _ news: CollectionFollower.News, _ follower: CollectionFollower
  ) -> ReplicaChange {
    let isFirst = self.follower.replica.version == nil
    self.follower = follower
    if let dropped = news.dropped { statistics.note("an answer was dropped: \(dropped)") }
    switch news.change {
    case .updated(let update):
      statistics.count(update.delta)
      statistics.deltaBytes += news.answer.body.count
    case .replaced(_, let reset) where !isFirst:
      statistics.resets += 1
      statistics.deltaBytes += news.answer.body.count
      if reset?.reason != "delta-too-large" {
        statistics.note("a snapshot came instead of a delta: \(reset?.reason ?? "no reason")")
      }
    case .unchanged: statistics.unchanged += 1
    default: break
    }
    return news.change
  }

  // MARK: Checking

  private mutating func check(
    _ update: ReplicaUpdate, _ version: ReplayVersion, _ who: String
  ) {
    do {
      try Simulator.check(update.delta, from: update.source, to: version.sections)
    } catch {
      statistics.note("\(who): \(error)")
    }
  }

  private mutating func compare(
    _ replica: CollectionReplica, _ version: ReplayVersion, _ who: String
  ) {
    let held = replica.sections
    guard held.map(\.id) == version.sections.map(\.id) else {
      return statistics.note("\(who) holds other sections than the snapshot")
    }
    for (held, wanted) in zip(held, version.sections) {
      if held.content != wanted.content {
        return statistics.note("\(who) holds another header of section \"\(wanted.id)\"")
      }
      guard held.items.map(\.id) == wanted.items.map(\.id) else {
        return statistics.note("\(who) holds other items in section \"\(wanted.id)\"")
      }
      for (held, wanted) in zip(held.items, wanted.items) where held.content != wanted.content {
        return statistics.note("\(who) holds another content of item \"\(wanted.id)\"")
      }
    }
  }

  // MARK: Catching up

  private mutating func catchUp(to version: ReplayVersion) async throws(ClientError) {
    guard var replica = older.randomElement(using: &generator) else { return }
    let answer = try await reader.delta(
      of: collection, since: replica.version, patchesItems: replica.takesItemPatches
    ).value
    do {
      let change = try replica.apply(answer)
      switch change {
      case .updated(let update):
        statistics.catchUpsByDelta += 1
        check(update, version, "a reader that came back")
      case .unchanged: statistics.catchUpsByDelta += 1
      default: statistics.catchUpsBySnapshot += 1
      }
      compare(replica, version, "a reader that came back")
    } catch {
      statistics.note("a reader that came back: \(error)")
    }
  }
}

/// A follower waiting for news in a task.
private struct Waiting {
  private let task: Task<Result<(CollectionFollower.News, CollectionFollower), ClientError>, Never>

  init(_ follower: CollectionFollower) {
    task = Task {
      var follower = follower
      do throws(ClientError) {
        return .success((try await follower.next(), follower))
      } catch {
        return .failure(error)
      }
    }
  }

  func result() async throws(ClientError) -> (CollectionFollower.News, CollectionFollower) {
    try await task.value.get()
  }

  func stop() { task.cancel() }
}
