import VersionedCollections

/// A part that the store failed to read.
typealias PartFailure = (part: StoredPart, error: StoreError)

/// The parts of a client being read from the store and the completions waiting for them; each part
/// is read once for all.
///
/// A collection being read is not requested again for a reader with another version. Completions
/// check what is still missing.
struct PendingLoads<Completion> {
  private struct Load {
    let completion: Completion
    var missingCount: Int
    var failure: PartFailure?
  }

  private var loads: [Int: Load] = [:]
  private var waiting: [StoredPart: [Int]] = [:]
  private var nextNumber = 0

  /// The completions that wait for parts, in any order.
  var completions: some Swift.Collection<Completion> { loads.values.lazy.map(\.completion) }

  /// Whether no part is being read.
  var isEmpty: Bool { loads.isEmpty }

  /// Adds a completion that waits for distinct parts.
  ///
  /// - Returns: The parts not being read yet, which the caller must request from the store.
  mutating func add(_ parts: [StoredPart], _ completion: Completion) -> [StoredPart] {
    let number = nextNumber
    nextNumber += 1
    loads[number] = Load(completion: completion, missingCount: parts.count)
    return parts.filter { part in
      defer { waiting[part.subject, default: []].append(number) }
      return waiting[part.subject] == nil
    }
  }

  /// Records that a part was read, or the error.
  ///
  /// - Returns: The completions that no longer wait for any part, in order of arrival.
  mutating func finish(
    _ part: StoredPart, _ error: StoreError?
  ) -> [(completion: Completion, failure: PartFailure?)] {
    var finished: [(completion: Completion, failure: PartFailure?)] = []
    for number in waiting.removeValue(forKey: part.subject) ?? [] {
      guard var load = loads[number] else { continue }
      load.missingCount -= 1
      if load.failure == nil { load.failure = error.map { (part, $0) } }
      loads[number] = load.missingCount > 0 ? load : nil
      if load.missingCount == 0 { finished.append((load.completion, load.failure)) }
    }
    return finished
  }

  /// Traps unless each load waits for exactly `missingCount` parts.
  func checkInvariants() {
    var counts: [Int: Int] = [:]
    for number in waiting.values.joined() { counts[number, default: 0] += 1 }
    precondition(counts == loads.mapValues(\.missingCount), "\(counts), \(loads)")
  }
}

extension StoredPart {
  /// The part without the reader's version.
  fileprivate var subject: StoredPart {
    if case .collection(let name, _) = self { .collection(name, unlessAt: nil) } else { self }
  }
}
