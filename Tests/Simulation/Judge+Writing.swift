@testable import CollectionService
@testable import VersionedCollections

/// Answers to writers.
extension Judge {
  /// Judges the answer to an attempt of a write.
  ///
  /// - Returns: Whether the writer knows the outcome.
  func wrote(
    _ operation: Operation, _ keys: [CollectionKey], _ results: WriteJob.Results
  ) -> Bool {
    switch results {
    case .failure(let failure): return refused(operation, keys, failure)
    case .success(let results):
      if results.count != keys.count {
        world.blame("\(operation.number): \(results.count) results")
      }
      var isKnown = true
      for (key, result) in zip(keys, results) {
        switch result {
        case .success(let receipt): accepted(operation, key, receipt)
        case .failure(let failure): isKnown = refused(operation, keys, failure)
        }
      }
      return isKnown
    }
  }

  private func accepted(_ operation: Operation, _ key: CollectionKey, _ receipt: WriteReceipt) {
    let name = "\(operation.number), \(key.client.text)/\(key.name.text)"
    // What was lost was acknowledged before, or from memory.
    if operation.isLost || isLost(receipt.version) || receipt.previous.map(isLost) == true {
      return
    }
    switch operation.writes[key] {
    case .delete?:
      guard let place = place(of: receipt.version), let history = commits[key],
        place + 1 < history.count, history[place + 1].after == nil
      else { return world.blame("\(name): \(receipt.version) was not deleted") }
      if operation.deleted[key] != receipt.version {
        world.blame("\(name): acknowledged, but deleted by another")
      }
      return
    case .settings?:
      if operation.configured[key] == nil {
        world.blame("\(name): settings are acknowledged, but not committed")
      }
      return
    case .revert(_, let page)? where !receipt.isChanged:
      if pages[receipt.version] != page { world.blame("\(name): not reverted") }
      return
    default: break
    }
    guard let version = operation.versions[key] else {
      return world.blame("\(name): acknowledged, but not committed")
    }
    if receipt.version != version { world.blame("\(name): \(receipt.version), not \(version)") }
    guard let place = place(of: version), let commit = commits[key]?[place] else { return }
    if commit.time < operation.sent { world.blame("\(name): committed before it was sent") }
    if receipt.previous != commit.before {
      world.blame("\(name): \(version) on \(receipt.previous?.description ?? "nothing")")
    }
    acknowledge(version)
  }

  /// Judges a change when it is committed: whether it is what its writer wanted.
  func checkPreconditions(_ operation: Operation, _ commit: SimulatedStore.Commit) {
    let name = "\(operation.number), \(commit.key.client.text)/\(commit.key.name.text)"
    guard operation.writes.count == 1 || commit.key == Users.twins[0] else { return }
    if let expected = operation.expected, commit.before != expected {
      world.blame("\(name): written on \(commit.before?.description ?? "-"), not on \(expected)")
    }
    if operation.isCreation, commit.before != nil {
      world.blame("\(name): written on what was there")
    }
  }

  /// Judges the answer to a deletion of all collections of a client.
  func deletedAll(
    _ operation: Operation, _ keys: [CollectionKey], _ results: WriteJob.Results
  ) {
    let range = max(0, operation.arrived - staleness)...world.now
    guard case .success(let results) = results, !isTroubled(range) else { return }
    for result in results {
      guard case .success(let receipt) = result else { return }
      if let place = place(of: receipt.version), isHead(place, receipt.version) {
        world.blame("\(operation.number): \(receipt.version) was not deleted")
      }
    }
    for key in keys {
      guard let last = commits[key]?.last, let version = last.after else { continue }
      if wasAlwaysHead(version, key, in: range) {
        world.blame("\(operation.number): \(version) survives a deletion of all")
      }
    }
  }

  private func isHead(_ place: Int, _ version: VersionToken) -> Bool {
    commits.values.contains { $0.count == place + 1 && $0[place].after == version }
  }

  /// - Returns: Whether it is certain that nothing was written.
  private func refused(
    _ operation: Operation, _ keys: [CollectionKey], _ failure: ServiceFailure
  ) -> Bool {
    let range = max(0, operation.sent - 1.seconds)...world.now
    switch failure.error {
    case .outcomeUnknown:
      if !link.losesOutcomes { world.blame("\(operation.number): unknown, but nothing broke") }
      return false
    case .idempotencyInFlight: return false
    case .storeUnavailable:
      if !isTroubled(range) && !link.losesOutcomes {
        world.blame("\(operation.number): unavailable, but the store was not")
      }
    case .versionConflict:
      guard let key = keys.first, let expected = operation.expected else {
        world.blame("\(operation.number): a conflict, but nothing was expected")
        break
      }
      if wasAlwaysHead(expected, key, in: operation.arrived...world.now), !isTroubled(range) {
        world.blame("\(operation.number): \(expected) is told not to be current")
      }
    case .collectionExists where operation.isCreation:
      if let key = keys.first, wasAlwaysHead(nil, key, in: operation.arrived...world.now),
        !isTroubled(range)
      {
        world.blame("\(operation.number): refused because of nothing")
      }
    case .idempotencyKeyReuse where operation.hasForeignKey || operation.isKeyTaken: break
    case .notApplied where keys.count > 1: break
    case .versionGone, .unknownVersion, .contentGone:
      if case .revert? = operation.writes[keys[0]] { break }
      world.blame("\(operation.number): \(failure.error)")
    case .collectionNotFound:
      if let key = keys.first, let head = commits[key]?.last?.after,
        wasAlwaysHead(head, key, in: max(0, operation.arrived - staleness)...world.now),
        !isTroubled(range)
      {
        world.blame("\(operation.number): \(head) is told to be missing")
      }
    default: world.blame("\(operation.number): \(failure.error)")
    }
    guard operation.attempts == 1 else { return false }
    operation.isRefused = true
    if let version = operation.versions.values.first {
      world.blame("\(operation.number): \(failure.error), and made \(version)")
    }
    return true
  }
}
