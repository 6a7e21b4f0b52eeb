import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// Readers who are answered once.
extension Users {
  /// Asks for one collection.
  func read(_ operation: Operation, waitSeconds: Int) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    let pool = Self.singles + Self.twins
    let key = operation.generator.pick(pool) ?? pool[0]
    let held = operation.generator.below(5) == 0 ? nil : reader.held[key]
    let request = ReadRequest(
      since: held?.version, form: form(operation), waitSeconds: waitSeconds,
      waitsForCollection: operation.generator.below(2) == 0)
    let id = id()
    send(operation) { [self] replica in
      let reply: ReadReply = { [self] result, _ in
        if operation.isOver { world.blame("\(operation.number) is answered after its end") }
        operation.isOver = true
        let now = judged(result, operation, key, held)
        cluster.pass { [self] in replace(key, now, held, of: reader) }
      }
      let shard = replica.shard(of: key.client)
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      cut(operation, id, replica, shard)
      replica.handle(
        .arrived(
          ReaderRequest(id: id, client: key.client, kind: .collection(key.name, request, reply))),
        shard)
    }
  }

  /// What a reader has after an answer.
  private func judged(
    _ result: Result<ReadAnswer, ServiceFailure>, _ operation: Operation, _ key: CollectionKey,
    _ held: Held?
  ) -> Held? {
    let who = "reader \(operation.number)"
    switch result {
    case .success(let answer):
      world.note("\(who): \(answer.kindText) \(answer.heldVersion?.description ?? "")")
      if case .unchanged = answer {
        judge.waited(for: key, held, arrival: operation.arrived, who)
      }
      return judge.read(answer, key, held: held, arrival: operation.arrived, who)
    case .failure(let failure):
      refused(failure.error, operation, [key])
      if case .collectionNotFound = failure.error { return nil }
      return held
    }
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
    case .tooManyParked: break
    default: world.blame("\(operation.number): \(error)")
    }
  }

  /// Replaces what a reader has, if that is what the answer is based on.
  private func replace(_ key: CollectionKey, _ now: Held?, _ held: Held?, of reader: Reader) {
    if reader.held[key]?.version == held?.version { reader.held[key] = now }
  }

  /// Asks for both twins at one moment.
  func sync(_ operation: Operation, waitSeconds: Int) {
    let reader = operation.generator.pick(readers) ?? readers[0]
    // What a reader has of twins comes from one answer, or is nothing.
    let isKnown = operation.generator.below(4) > 0 && Self.isWhole(reader.held)
    let held = isKnown ? reader.held : [:]
    let request = SyncRequest(
      entries: Self.twins.map { .init(name: $0.name, since: held[$0]?.version) },
      form: form(operation))
    let (id, client) = (id(), Self.twins[0].client)
    send(operation) { [self] replica in
      let reply = Reply<Result<SyncAnswer, ServiceFailure>> { [self] result in
        if operation.isOver { world.blame("\(operation.number) is answered after its end") }
        operation.isOver = true
        switch result {
        case .failure(let failure): refused(failure.error, operation, [])
        case .success(let answer):
          world.note("\(operation.number): \(answer.news.count) news")
          let now = judged(answer, Self.twins, held, operation.arrived, "sync \(operation.number)")
          cluster.pass {
            for key in Self.twins { reader.held[key] = now[key] }
          }
        }
      }
      let shard = replica.shard(of: client)
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      cut(operation, id, replica, shard)
      let kind = ReaderRequest.Kind.collections(request, waitSeconds: waitSeconds, reply)
      replica.handle(.arrived(ReaderRequest(id: id, client: client, kind: kind)), shard)
    }
  }

  /// What a reader of several collections has after an answer.
  func judged(
    _ answer: SyncAnswer, _ keys: [CollectionKey], _ held: [CollectionKey: Held],
    _ arrival: Microseconds, _ who: String
  ) -> [CollectionKey: Held] {
    var now = held
    for key in keys {
      if let news = answer.news.first(where: { $0.name == key.name }) {
        now[key] = judge.read(news.answer, key, held: held[key], arrival: arrival, who)
      } else if answer.missing.contains(key.name) {
        judge.waited(for: key, nil, arrival: arrival, who)
      } else if !answer.unchanged.contains(where: { $0.name == key.name }) {
        world.blame("\(who): nothing about \(key.name.text)")
      }
    }
    if keys == Self.twins, !Self.isWhole(now) {
      let versions = keys.map { now[$0]?.version.description ?? "-" }
      world.blame("\(who) sees half of a batch: \(versions)")
    }
    return now
  }

  /// Whether both twins are of one batch.
  static func isWhole(_ held: [CollectionKey: Held]) -> Bool {
    held[twins[0]]?.page.operation == held[twins[1]]?.page.operation
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
