import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// A reader who waits for changes.
struct Waiting {
  var operation: Operation
  var keys: [CollectionKey]
  var held: [CollectionKey: Held]
  /// The views that it has of collections.
  var viewings: [CollectionKey: Viewing]
  var replica: Replica

  /// Whether it has been waiting since before a time.
  func isWaiting(since time: Microseconds) -> Bool {
    replica.isAlive && !operation.isOver && operation.arrived < time - 100.milliseconds
  }
}

/// Readers who are answered once.
extension Users {
  /// Asks for one collection.
  func read(_ operation: Operation, waitSeconds: Int) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    operation.dialect = reader.dialect
    let key = operation.generator.below(4) == 0 ? Self.twins[0] : pick(operation)
    let held = operation.generator.below(5) == 0 ? nil : reader.held[key]
    let viewing = reader.viewing(key, held, operation)
    let plain = self.request(operation, held, waitSeconds: waitSeconds)
    let id = id()
    send(operation) { [self] replica in
      guard let authorization = admit(reader, operation, [key], replica) else { return }
      var request = plain
      request.form.view = viewing?.query(authorization.imposed(key))
      let asked = request
      if waitSeconds == 0, let answer = replica.remembered(asked, key) {
        operation.isOver = true
        let now = judged(.success(answer), operation, key, held, asked, viewing)
        return cluster.pass { [self] in replace(key, now, held, of: reader) }
      }
      let reply: ReadReply = { [self] result, source in
        // An older version may be read for an answer that nobody waits for any more.
        if operation.isCut, viewing != nil { return }
        if operation.isOver { world.blame("\(operation.number) is answered after its end") }
        operation.isOver = true
        waiting[id] = nil
        close(operation, replica)
        if waitSeconds == 0 { replica.remember(result, source.head, asked, key) }
        if case .failure(let failure) = result, case .tooManyParked = failure.error {
          return refusedPlace(operation, replica)
        }
        guard mayAnswer(authorization, reader, operation, [key], replica) else { return }
        let now = judged(result, operation, key, held, asked, viewing)
        cluster.pass { [self] in replace(key, now, held, of: reader) }
      }
      let shard = replica.shard(of: key.client)
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      cut(operation, id, replica, shard)
      if waitSeconds > 0, held != nil || asked.waitsForCollection {
        waiting[id] = Waiting(
          operation: operation, keys: [key], held: held.map { [key: $0] } ?? [:],
          viewings: viewing.map { [key: $0] } ?? [:], replica: replica)
      }
      open(operation, replica)
      replica.handle(
        .arrived(
          ReaderRequest(id: id, client: key.client, kind: .collection(key.name, asked, reply))),
        shard)
    }
  }

  private func request(
    _ operation: Operation, _ held: Held?, waitSeconds: Int
  ) -> ReadRequest {
    var request = ReadRequest(
      since: held?.version, form: operation.dialect.form, waitSeconds: waitSeconds,
      waitsForCollection: operation.generator.below(2) == 0)
    operation.wantsSnapshot = operation.generator.below(10) == 0
    request.wantsSnapshot = operation.wantsSnapshot
    return request
  }

  /// What a reader has after an answer.
  private func judged(
    _ result: Result<ReadAnswer, ServiceFailure>, _ operation: Operation, _ key: CollectionKey,
    _ held: Held?, _ request: ReadRequest, _ viewing: Viewing?
  ) -> Held? {
    let who = "reader \(operation.number)"
    let hasWaited = hasWaited(operation, request.waitSeconds)
    switch result {
    case .success(let answer):
      world.note("\(who): \(answer.kindText) \(answer.heldVersion?.description ?? "")")
      if case .unchanged = answer {
        if !hasWaited { world.blame("\(who) has not waited") }
        if viewing == nil { judge.waited(for: key, held, arrival: operation.arrived, who) }
      }
      if case .delta = answer, request.wantsSnapshot { world.blame("\(who) wanted no delta") }
      let now = judge.read(
        answer, key, held: held, viewing, arrival: operation.arrived, operation)
      if case .unchanged = answer, viewing != nil {
        judge.waited(for: key, now, viewing, arrival: operation.arrived, who)
      }
      return now
    case .failure(let failure):
      if case .collectionNotFound = failure.error, request.since == nil,
        request.waitsForCollection, !hasWaited
      {
        world.blame("\(who) has not waited for a collection")
      }
      refused(failure.error, operation, [key])
      if case .collectionNotFound = failure.error { return nil }
      return held
    }
  }

  /// Whether a reader has waited as long as it may, or up to a tenth less, by a clock that may go too
  /// fast; or its replica stops.
  private func hasWaited(_ operation: Operation, _ waitSeconds: Int) -> Bool {
    cluster.isStopping || world.now - operation.arrived >= waitSeconds.seconds * 87 / 100
  }

  /// Judges the error that a reader was given.
  func refused(_ error: ServiceError, _ operation: Operation, _ keys: [CollectionKey]) {
    world.note("\(operation.number) fails: \(error)")
    switch error {
    case .collectionNotFound:
      for key in keys {
        judge.waited(
          for: key, nil, arrival: operation.arrived, "reader \(operation.number)")
      }
    case .storeUnavailable:
      if !judge.isTroubled(max(0, operation.arrived - 4.seconds)...world.now) {
        world.blame("\(operation.number): unavailable, but the store was not")
      }
    default: world.blame("\(operation.number): \(error)")
    }
  }

  /// Judges that a reader is refused because too many wait: as many as may, besides this one.
  func refusedPlace(_ operation: Operation, _ replica: Replica) {
    world.note("\(operation.number): too many wait")
    if replica.openCount < cluster.limits.parkedMax {
      world.blame("\(operation.number): too many wait, and only \(replica.openCount) do")
    }
  }

  /// Replaces what a reader has, if that is what the answer is based on.
  private func replace(_ key: CollectionKey, _ now: Held?, _ held: Held?, of reader: Reader) {
    if reader.held[key]?.version == held?.version { reader.held[key] = now }
  }

  /// Asks for both twins at one moment.
  func sync(_ operation: Operation, waitSeconds: Int) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    operation.dialect = reader.dialect
    // What a reader has of twins comes from one answer, or is nothing.
    let isKnown = operation.generator.below(4) > 0 && isWhole(reader.held)
    let held = isKnown ? reader.held : [:]
    let viewings = viewings(of: Self.twins, held, reader, operation)
    var request = SyncRequest(
      entries: Self.twins.map { .init(name: $0.name, since: held[$0]?.version) },
      form: reader.dialect.form)
    let (id, client) = (id(), Self.twins[0].client)
    send(operation) { [self] replica in
      guard let authorization = admit(reader, operation, Self.twins, replica) else { return }
      impose(authorization, viewings, &request, client)
      let reply = Reply<Result<SyncAnswer, ServiceFailure>> { [self] result in
        if operation.isOver { world.blame("\(operation.number) is answered after its end") }
        operation.isOver = true
        waiting[id] = nil
        close(operation, replica)
        guard mayAnswer(authorization, reader, operation, Self.twins, replica) else { return }
        switch result {
        case .failure(let failure):
          if case .tooManyParked = failure.error { return refusedPlace(operation, replica) }
          refused(failure.error, operation, [])
        case .success(let answer):
          world.note("\(operation.number): \(answer.news.count) news")
          if answer.news.isEmpty, !hasWaited(operation, waitSeconds) {
            world.blame("\(operation.number) has not waited")
          }
          let now = judged(
            answer, Self.twins, held, viewings, operation.arrived, operation)
          cluster.pass {
            for key in Self.twins { reader.held[key] = now[key] }
          }
        }
      }
      let shard = replica.shard(of: client)
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      cut(operation, id, replica, shard)
      if waitSeconds > 0 {
        waiting[id] = Waiting(
          operation: operation, keys: Self.twins, held: held, viewings: viewings, replica: replica)
      }
      open(operation, replica)
      let kind = ReaderRequest.Kind.collections(request, waitSeconds: waitSeconds, reply)
      replica.handle(.arrived(ReaderRequest(id: id, client: client, kind: kind)), shard)
    }
  }

  /// What a reader of several collections has after an answer.
  func judged(
    _ answer: SyncAnswer, _ keys: [CollectionKey], _ held: [CollectionKey: Held],
    _ viewings: [CollectionKey: Viewing], _ arrival: Microseconds, _ operation: Operation
  ) -> [CollectionKey: Held] {
    var now = held
    let who = "reader \(operation.number)"
    for key in keys {
      if let news = answer.news.first(where: { $0.name == key.name }) {
        now[key] = judge.read(
          news.answer, key, held: held[key], viewings[key], arrival: arrival, operation)
      } else if answer.missing.contains(key.name) {
        judge.waited(for: key, nil, arrival: arrival, who)
      } else if let entry = answer.unchanged.first(where: { $0.name == key.name }) {
        guard viewings[key] != nil, let version = entry.since else { continue }
        now[key] = judge.read(
          .unchanged(version, answer.views[key.name]), key, held: held[key], viewings[key],
          arrival: arrival, operation)
      } else if held[key] != nil || !answer.news.isEmpty {
        // A bookmark is of what its reader has.
        world.blame("\(who): nothing about \(key.name.text)")
      }
    }
    if keys == Self.twins, !isWhole(now) {
      let versions = keys.map { now[$0]?.version.description ?? "-" }
      world.blame("\(who) sees half of a batch: \(versions)")
    }
    return now
  }

  /// Whether both twins are of one batch.
  func isWhole(_ held: [CollectionKey: Held]) -> Bool {
    let operations = Self.twins.map { held[$0].flatMap { judge.pages[$0.version]?.operation } }
    return operations[0] == operations[1]
  }
}

extension Replica {
  /// Remembers an answer, to be given to whoever asks the same, while its head is current.
  fileprivate func remember(
    _ result: Result<ReadAnswer, ServiceFailure>, _ head: PublishedHead?, _ request: ReadRequest,
    _ key: CollectionKey
  ) {
    guard let head, head.isCurrent, case .success(let answer) = result, !request.wantsSnapshot
    else { return }
    let request = RememberedRequest(key: key, since: request.since, form: request.form)
    remembered[request] = (answer, head)
  }

  /// The remembered answer to a request.
  fileprivate func remembered(_ request: ReadRequest, _ key: CollectionKey) -> ReadAnswer? {
    let known = RememberedRequest(key: key, since: request.since, form: request.form)
    guard !request.wantsSnapshot, let (answer, head) = remembered[known], head.isCurrent
    else { return nil }
    return answer
  }
}

extension ReadAnswer {
  /// The kind as the trace has it.
  var kindText: String {
    switch self {
    case .snapshot: "snapshot"
    case .delta: "delta"
    case .unchanged: "unchanged"
    case .deleted: "deleted"
    }
  }
}
