import DeltaEngine

@testable import CollectionService
@testable import VersionedCollections

/// Writers.
extension Users {
  /// Writes one collection, or both twins.
  func write(_ operation: Operation, _ kind: Int) {
    var keys = [operation.generator.pick(Self.singles) ?? Self.singles[0]]
    if kind == 5 || kind == 6 { keys = Self.twins }
    for key in keys {
      switch operation.generator.below(16) {
      case 0 where keys.count == 1: operation.writes[key] = .delete
      case 1..<5 where keys.count == 1:
        operation.writes[key] = .edit(without: "i\(operation.generator.below(10))")
      default: operation.writes[key] = .put(operation.randomPage())
      }
    }
    if keys.count == 2, operation.generator.below(8) == 0 {
      for key in keys { operation.writes[key] = .delete }
    }
    if kind == 7 { operation.expected = operation.generator.pick(readers)?.held[keys[0]]?.version }
    judge.operations[operation.number] = operation
    let hasKey = operation.generator.below(3) == 0
    let key =
      hasKey
      ? IdempotencyKey(
        text: "k\(operation.number)",
        fingerprint: ContentHash(high: 0, low: UInt64(operation.number))) : nil
    attempt(operation, keys, key)
  }

  private func attempt(_ operation: Operation, _ keys: [CollectionKey], _ key: IdempotencyKey?) {
    operation.attempts += 1
    // Its writer did not hear of that.
    operation.isRefused = false
    let attempt = operation.attempts
    let writes = keys.map { name in
      var write = Write(name: name.name, change: operation.change(of: name))
      if let expected = operation.expected { write.precondition.version = expected }
      return write
    }
    send(operation) { [self] replica in
      let job = WriteJob(
        client: keys[0].client, scope: .writes(writes), isBatch: keys.count > 1, key: key
      ) { [self] results in
        let isKnown = judge.wrote(operation, keys, results)
        world.note("\(operation.number) is answered, \(isKnown)")
        cluster.pass { if isKnown { operation.isOver = true } }
      }
      replica.handle(.write(job), replica.shard(of: keys[0].client))
    }
    // A request with a key is sent again until its outcome is known.
    guard key != nil else { return }
    let pause = 500.milliseconds + operation.generator.below(2.seconds)
    world.after(pause) { [self] in
      if !operation.isOver, attempt < 5 { self.attempt(operation, keys, key) }
    }
  }
}
