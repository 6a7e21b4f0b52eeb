@testable import VersionedCollections

/// What users were told of each collection, which `History` judges at the end.
extension Judge {
  /// How old an answer of a replica over a shared store may be when the request comes, by a clock that goes too slow.
  private static let staleness = 1.seconds + 40.milliseconds

  /// Records what a user was told now.
  ///
  /// - Parameters:
  ///   - operation: The user's.
  ///   - claim: What it was told.
  ///   - key: The collection.
  ///   - begin: When its request came.
  ///   - shown: The version that it showed.
  func tell(
    _ operation: Operation, _ claim: History.Claim, _ key: CollectionKey, since begin: Microseconds,
    shown: VersionToken? = nil
  ) {
    calls[key, default: []].append(
      History.Call(
        operation: operation.number, claim: claim, begin: begin, end: world.now, shown: shown))
  }

  /// Records the version that a reader was told, or that there is no collection.
  ///
  /// - Parameters:
  ///   - operation: The reader's.
  ///   - version: The version; nil if there is none.
  ///   - key: The collection.
  ///   - held: The version that the reader has.
  ///   - arrival: When its request came; 0 if what it is told may be of any time before.
  func tellReader(
    _ operation: Operation, _ version: VersionToken?, _ key: CollectionKey, _ held: VersionToken?,
    arrival: Microseconds
  ) {
    let begin = operation.isStale ? 0 : isShared ? max(0, arrival - Self.staleness) : arrival
    tell(
      operation, .saw(version.map(plain)), key, since: begin,
      shown: (held ?? operation.shown).map(plain))
  }

  /// Judges whether what users were told is linearizable.
  ///
  /// Of a shared store, each change is visible from the moment of its commit; a service that is alone shows it some time
  /// after that. What somebody may have seen that a failover lost is left out.
  func judgeHistories() {
    guard world.violations.isEmpty else { return }
    for key in Users.singles + Users.twins {
      let changes = (commits[key] ?? []).map { commit in
        History.Change(
          version: commit.after, operation: commit.operation,
          times: commit.time...(isShared ? commit.time : .max))
      }
      let calls = (calls[key] ?? []).filter { call in
        !failovers.contains { $0.overlaps(call.begin...call.end) }
      }
      if let fault = History.fault(of: calls, changes) {
        world.blame("\(key.client.text)/\(key.name.text) is not linearizable: \(fault)")
      }
    }
  }
}
