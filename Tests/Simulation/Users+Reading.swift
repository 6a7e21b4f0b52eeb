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
    let isOfViews = cluster.plan.theme == .views
    let able = isOfViews ? readers.dropFirst(Self.plainCount) : readers[...]
    let reader = operation.generator.pick(able) ?? readers[0]
    operation.dialect = reader.dialect
    let isTwin = operation.generator.below(4) == 0 && cluster.plan.theme == nil
    let key = isTwin ? Self.twins[0] : pick(operation)
    // Who has nothing may show what was written last.
    let held = operation.generator.below(isRushed ? 2 : 5) == 0 ? nil : reader.held[key]
    let viewing = reader.viewing(key, held, operation)
    let waitsForCollection = operation.generator.below(2) == 0
    operation.wantsSnapshot = operation.generator.below(10) == 0
    var request = Request("GET", key, "/delta")
    if let held { request.parameters.append(("since", held.version.description)) }
    if waitSeconds > 0 { request.parameters.append(("wait", "\(waitSeconds)")) }
    if waitsForCollection { request.parameters.append(("missing", "wait")) }
    let dialect = operation.wantsSnapshot ? Dialect.snapshot : reader.dialect
    request.parameters.append(("dialect", dialect.name))
    if let viewing { request.parameters += viewing.parameters }
    if held == nil, operation.generator.below(2) == 0, let version = written[key] {
      operation.shown = version
      request.fields.append(("Collection-Version", version.description))
    }
    let mayWait = waitSeconds > 0 && (held != nil || waitsForCollection)
    send(operation) { [self, request] replica in
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      if mayWait, keys.allow(reader.number, [key], at: replica.host.date) {
        waiting[operation.number] = Waiting(
          operation: operation, keys: [key], held: held.map { [key: $0] } ?? [:],
          viewings: viewing.map { [key: $0] } ?? [:], replica: replica)
      }
      ask(operation, request, as: reader, about: [key], replica) { [self] response in
        let now = judged(
          response, operation, key, held, viewing,
          hasWaited: !mayWait || hasWaited(operation, waitSeconds))
        cluster.pass { [self] in replace(key, now, held, of: reader) }
      }
    }
  }

  /// What a reader has after an answer.
  private func judged(
    _ response: Response, _ operation: Operation, _ key: CollectionKey, _ held: Held?,
    _ viewing: Viewing?, hasWaited: Bool
  ) -> Held? {
    let who = "reader \(operation.number)"
    if let code = response.code {
      // A collection that a reader had, and that is gone without a trace, is missing at once.
      if code == "collection-not-found", held == nil, !hasWaited {
        world.blame("\(who) has not waited for a collection")
      }
      refused(code, operation, [key])
      return code == "collection-not-found" ? nil : held
    }
    guard response.status == 200, let answer = Answer(response.text) else {
      world.blame("\(who): status \(response.status), \(response.body.count) bytes")
      return held
    }
    world.note("\(who): \(answer.kind) \(answer.heldVersion?.description ?? "")")
    if answer.version != response.version { world.blame("\(who): the field has another version") }
    if answer.kind == .unchanged {
      if !hasWaited { world.blame("\(who) has not waited") }
      if viewing == nil { judge.waited(operation, for: key, held) }
    }
    if answer.kind == .delta, operation.wantsSnapshot { world.blame("\(who) wanted no delta") }
    let now = judge.read(answer, key, held: held, viewing, arrival: operation.arrived, operation)
    if answer.kind == .unchanged, viewing != nil {
      judge.waited(operation, for: key, now, viewing)
    }
    return now
  }

  /// Whether a reader has waited as long as it may, or up to a tenth less, by a clock that may go too
  /// fast; or its replica stops.
  private func hasWaited(_ operation: Operation, _ waitSeconds: Int) -> Bool {
    cluster.isStopping || world.now - operation.arrived >= waitSeconds.seconds * 87 / 100
  }

  /// Judges the problem that a reader was told.
  func refused(_ code: String, _ operation: Operation, _ keys: [CollectionKey]) {
    world.note("\(operation.number) fails: \(code)")
    switch code {
    case "collection-not-found":
      for key in keys { judge.waited(operation, for: key, nil) }
    case "store-unavailable":
      if !judge.isTroubled(max(0, operation.arrived - 4.seconds)...world.now) {
        world.blame("\(operation.number): unavailable, but the store was not")
      }
    default: world.blame("\(operation.number): \(code)")
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
    let entries = Self.twins.map { key in
      let since = held[key].map { "\"\($0.version)\"" } ?? "null"
      let entry = viewings[key].map { #"{"since":\#(since),"view":\#($0.json)}"# } ?? since
      return "\"\(key.name.text)\":\(entry)"
    }
    var request = Request("POST", "/v1/clients/\(Self.twins[0].client.text)/sync")
    request.parameters.append(("dialect", reader.dialect.name))
    request.fields.append(("Content-Type", "application/json"))
    request.body = #"{"collections":{\#(entries.joined(separator: ","))},"wait":\#(waitSeconds)}"#
    send(operation) { [self, request] replica in
      expectAnswer(operation, replica, within: waitSeconds.seconds)
      if waitSeconds > 0, keys.allow(reader.number, Self.twins, at: replica.host.date) {
        waiting[operation.number] = Waiting(
          operation: operation, keys: Self.twins, held: held, viewings: viewings, replica: replica)
      }
      ask(operation, request, as: reader, about: Self.twins, replica) { [self] response in
        if let code = response.code { return refused(code, operation, []) }
        guard let answer = SyncReading(response.text) else {
          return world.blame("\(operation.number): status \(response.status)")
        }
        world.note("\(operation.number): \(answer.news.count) news")
        if answer.news.isEmpty, !hasWaited(operation, waitSeconds) {
          world.blame("\(operation.number) has not waited")
        }
        let now = judged(answer, Self.twins, held, viewings, operation.arrived, operation)
        cluster.pass {
          for key in Self.twins { reader.held[key] = now[key] }
        }
      }
    }
  }

  /// What a reader of several collections has after an answer.
  func judged(
    _ answer: SyncReading, _ keys: [CollectionKey], _ held: [CollectionKey: Held],
    _ viewings: [CollectionKey: Viewing], _ arrival: Microseconds, _ operation: Operation
  ) -> [CollectionKey: Held] {
    var now = held
    let who = "reader \(operation.number)"
    for key in keys {
      let name = key.name.text
      if let news = answer.news.first(where: { $0.name == name }) {
        now[key] = judge.read(
          news.answer, key, held: held[key], viewings[key], arrival: arrival, operation)
      } else if answer.missing.contains(name) {
        judge.waited(operation, for: key, nil)
      } else if answer.unchanged.contains(name) {
        guard viewings[key] != nil else {
          judge.tellReader(
            operation, held[key]?.version, key, held[key]?.version, arrival: arrival)
          continue
        }
        guard let answer = answer.views[name] else { continue }
        now[key] = judge.read(
          answer, key, held: held[key], viewings[key], arrival: arrival, operation)
      } else if held[key] != nil || !answer.news.isEmpty {
        // A bookmark is of what its reader has.
        world.blame("\(who): nothing about \(name)")
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
