@testable import CollectionService
@testable import VersionedCollections

/// Writers.
extension Users {
  /// Writes one collection, or both twins, or deletes all of a client's.
  func write(_ operation: Operation, _ kind: Int) {
    var keys = [pick(operation)]
    if kind == 5 || kind == 6 { keys = Self.twins }
    let held = operation.generator.pick(readers.prefix(Self.plainCount))?.held[keys[0]]
    for key in keys { operation.writes[key] = change(operation, keys.count == 1, held) }
    if keys.count == 2, operation.generator.below(isHectic ? 2 : 5) == 0 {
      for key in keys { operation.writes[key] = .delete }
    }
    if kind == 6 || kind == 7 {
      operation.expected = held?.version
      // Only a write of a whole page may create.
      if case .put? = operation.writes[keys[0]], held == nil { operation.isCreation = true }
    }
    if case .put? = operation.writes[keys[0]], keys.count == 1 {
      switch operation.generator.below(12) {
      case 0: operation.isCreation = operation.expected == nil
      case 1..<4 where !operation.isCreation: operation.expected = held?.version
      default: break
      }
    }
    judge.operations[operation.number] = operation
    attempt(operation, keys, idempotencyKey(operation))
  }

  private func change(_ operation: Operation, _ isAlone: Bool, _ held: Held?) -> Operation.Change {
    switch operation.generator.below(24) {
    case 0 where isAlone: return .delete
    case 18... where isAlone && isHectic: return .delete
    case 1..<5 where isAlone: return .edit(without: "i\(operation.generator.below(10))")
    case 5, 6:
      let name = operation.generator.below(2) == 0 ? "data" : "delta"
      if isAlone { return .settings("\(name)CountAnimationThreshold") }
    case 9..<11:
      if isAlone, let held { return .revert(held.version, held.page) }
    default: break
    }
    return .put(operation.randomPage())
  }

  private func idempotencyKey(_ operation: Operation) -> String? {
    guard operation.generator.below(3) == 0 else { return nil }
    // Two deletions, or two reverts to a version, are one request.
    let isUnique = operation.writes.values.allSatisfy { change in
      switch change {
      case .put, .edit, .settings: true
      case .revert, .delete: false
      }
    }
    operation.hasForeignKey = operation.generator.below(8) == 0 && isUnique
    // The key of another writer of the same collection, in many cases.
    let others = judge.operations.values.filter {
      $0.number < operation.number && Set($0.writes.keys) == Set(operation.writes.keys)
    }
    let other = operation.hasForeignKey ? others.map(\.number).max() : nil
    operation.hasForeignKey = other != nil
    if let other { judge.operations[other]?.isKeyTaken = true }
    return "k\(other ?? operation.number)"
  }

  private func attempt(_ operation: Operation, _ keys: [CollectionKey], _ key: String?) {
    let isDoubled =
      key != nil && cluster.faults.contains(.doubled) && operation.generator.below(3) == 0
    for _ in 0..<(isDoubled ? 2 : 1) { send(operation, keys, key) }
    // A request with a key is sent again until its outcome is known.
    guard key != nil else { return }
    let attempt = operation.attempts
    let pause = 500.milliseconds + operation.generator.below(2.seconds)
    world.after(pause) { [self] in
      if !operation.isOver, attempt < 5 { self.attempt(operation, keys, key) }
    }
  }

  private func send(_ operation: Operation, _ keys: [CollectionKey], _ key: String?) {
    operation.attempts += 1
    // Its writer did not hear of that.
    operation.isRefused = false
    var request: Request
    if keys.count > 1 {
      request = operation.request(ofAll: keys)
    } else {
      request = operation.request(of: keys[0])
      if let expected = operation.expected {
        request.fields.append(("Collection-If-Version", expected.description))
      }
      if operation.isCreation { request.fields.append(("If-None-Match", "*")) }
    }
    if let key { request.fields.append(("Idempotency-Key", key)) }
    carry(operation, request) { [self] response, begin in
      let isKnown = judge.wrote(operation, keys, response, since: begin)
      world.note("\(operation.number) is answered, \(isKnown)")
      cluster.pass { [self] in
        if isKnown { operation.isOver = true }
        if let version = response.version, response.code == nil { written[keys[0]] = version }
      }
    }
  }

  /// Sends a writer's request through the routes of a replica; it is told the answer, and when the request came.
  private func carry(
    _ operation: Operation, _ request: Request,
    _ receive: @escaping (Response, Microseconds) -> Void
  ) {
    var request = request
    request.fields += [
      ("Authorization", "Bearer r\(ReaderKeys.writer)"), ("Request-Id", "\(operation.number)"),
    ]
    send(operation) { [world, request] replica in
      let begin = world.now
      replica.serve(request, Exchange(replica.host) { receive($0, begin) })
    }
  }

  /// Deletes all collections of a client.
  func deleteAll(_ operation: Operation) {
    let client = Self.singles[0].client
    for key in Self.singles where key.client == client { operation.writes[key] = .delete }
    judge.operations[operation.number] = operation
    carry(operation, Request("DELETE", "/v1/clients/\(client.text)")) { [self] response, _ in
      operation.attempts = 1
      let keys = Self.singles.filter { $0.client == client }
      judge.deletedAll(operation, keys, response)
      world.note("\(operation.number) has deleted all")
      operation.isOver = true
    }
  }
}
