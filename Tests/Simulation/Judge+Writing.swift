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
    if case .delete? = operation.writes[key] {
      guard let place = place(of: receipt.version), let history = commits[key],
        place + 1 < history.count, history[place + 1].after == nil
      else { return world.blame("\(name): \(receipt.version) was not deleted") }
      return
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
    if let expected = operation.expected, commit.before != expected {
      world.blame("\(name): \(version) is not on \(expected), as was demanded")
    }
    acknowledge(version)
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
      if let expected = operation.expected, let key = keys.first,
        wasAlwaysHead(expected, key, in: operation.arrived...world.now)
      {
        world.blame("\(operation.number): \(expected) is told not to be current")
      }
    case .collectionNotFound, .tooManyParked: break
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
