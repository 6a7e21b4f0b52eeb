@testable import CollectionService
@testable import VersionedCollections

/// Answers to writers.
extension Judge {
  /// What a writer is told of one collection.
  private struct Receipt {
    var version: VersionToken
    /// The version before; nil if it is not told.
    var previous: VersionToken??
    var isChanged = true
  }

  /// Judges the answer to an attempt of a write.
  ///
  /// - Parameters:
  ///   - operation: That of the writer.
  ///   - keys: What it writes.
  ///   - response: The answer.
  ///   - begin: When this attempt came.
  /// - Returns: Whether the writer knows the outcome.
  func wrote(
    _ operation: Operation, _ keys: [CollectionKey], _ response: Response, since begin: Microseconds
  ) -> Bool {
    if keys.count > 1, response.code == nil || response.text?["results"] != nil {
      return wroteTogether(operation, keys, response, since: begin)
    }
    if let code = response.code { return refused(operation, keys[0], code, since: begin) }
    guard let version = response.version else {
      world.blame("\(operation.number): status \(response.status) without a version")
      return true
    }
    var receipt = Receipt(version: version)
    if case .settings? = operation.writes[keys[0]] {
    } else if let text = response.text {
      receipt.previous = .some(text["previous"]?.string.flatMap(VersionToken.init))
      receipt.isChanged = text["changed"] == .other("true")
      if text["version"]?.string != version.description {
        world.blame("\(operation.number): the receipt has another version")
      }
    }
    accepted(operation, keys[0], receipt)
    return true
  }

  /// Judges the answer to a batch.
  private func wroteTogether(
    _ operation: Operation, _ keys: [CollectionKey], _ response: Response, since begin: Microseconds
  ) -> Bool {
    let results = response.text?["results"]?.elements ?? []
    if results.map({ $0["collection"]?.string }) != keys.map(\.name.text) {
      world.blame("\(operation.number): \(results.count) results")
    }
    var isKnown = true
    for (key, result) in zip(keys, results) {
      if let version = result["version"]?.string.flatMap(VersionToken.init) {
        if response.code != nil { world.blame("\(operation.number): written, but failed") }
        accepted(operation, key, Receipt(version: version))
      } else {
        let code = result["problem"]?["code"]?.string ?? ""
        isKnown = refused(operation, key, code, since: begin)
      }
    }
    return isKnown
  }

  private func accepted(_ operation: Operation, _ key: CollectionKey, _ receipt: Receipt) {
    let name = "\(operation.number), \(key.client.text)/\(key.name.text)"
    // What is repeated with a key gets its first answer.
    func tell(_ claim: History.Claim) {
      self.tell(operation, claim, key, since: operation.firstArrived)
    }
    // What was lost was acknowledged before, or from memory.
    if operation.isLost || isLost(receipt.version) { return }
    if let previous = receipt.previous ?? nil, isLost(previous) { return }
    switch operation.writes[key] {
    case .delete?: return tell(.deleted(receipt.version))
    case .settings?:
      if operation.configured[key] == nil {
        world.blame("\(name): settings are acknowledged, but not committed")
      }
      return tell(.saw(receipt.version))
    case .revert(_, let page)? where !receipt.isChanged:
      if pages[receipt.version] != page { world.blame("\(name): not reverted") }
      return tell(.saw(receipt.version))
    default: tell(.wrote(receipt.version))
    }
    guard let place = place(of: receipt.version), let commit = commits[key]?[place],
      let previous = receipt.previous, previous != commit.before
    else { return }
    world.blame("\(name): \(receipt.version) on \(previous?.description ?? "nothing")")
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
  func deletedAll(_ operation: Operation, _ keys: [CollectionKey], _ response: Response) {
    guard response.status == 204 else { return }
    for key in keys { tell(operation, .saw(nil), key, since: operation.arrived) }
  }

  /// - Returns: Whether it is certain that nothing was written.
  private func refused(
    _ operation: Operation, _ key: CollectionKey, _ code: String, since begin: Microseconds
  ) -> Bool {
    let range = max(0, operation.sent - 1.seconds)...world.now
    switch code {
    case "outcome-unknown":
      if !link.losesOutcomes { world.blame("\(operation.number): unknown, but nothing broke") }
      return false
    case "idempotency-in-flight": return false
    // The disk did not sync: it may come back after a crash.
    case "internal" where link.isOnDisk && isTroubled(range): return false
    case "storage-full" where link.isOnDisk && isTroubled(range): break
    case "store-unavailable":
      if !isTroubled(range) && !link.losesOutcomes {
        world.blame("\(operation.number): unavailable, but the store was not")
      }
    case "version-conflict":
      if let expected = operation.expected {
        tell(operation, .missed(expected), key, since: begin)
      } else {
        world.blame("\(operation.number): a conflict, but nothing was expected")
      }
    case "collection-exists" where operation.isCreation:
      tell(operation, .missed(nil), key, since: begin)
    case "idempotency-key-reuse" where operation.hasForeignKey || operation.isKeyTaken: break
    case "not-applied" where operation.writes.count > 1: break
    case "history-compacted", "unknown-version":
      if case .revert? = operation.writes[key] { break }
      world.blame("\(operation.number): \(code)")
    case "collection-not-found": tell(operation, .saw(nil), key, since: begin)
    default: world.blame("\(operation.number): \(code)")
    }
    guard operation.attempts == 1 else { return false }
    operation.isRefused = true
    if let version = operation.versions.values.first {
      world.blame("\(operation.number): \(code), and made \(version)")
    }
    return true
  }
}
