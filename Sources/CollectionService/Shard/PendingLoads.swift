/// A part that the store did not give.
typealias PartFailure = (part: StoredPart, error: StoreError)

/// What of a client is being read from the store, and who waits for it: each part is read once for
/// all who want it.
///
/// A collection that is being read is not asked for again for the sake of a reader with another
/// version: whoever waited for it sees then what is still missing.
struct PendingLoads<Completion> {
  private struct Load {
    let completion: Completion
    var missingCount: Int
    var failure: PartFailure?
  }

  private var loads: [Int: Load] = [:]
  private var waiting: [StoredPart: [Int]] = [:]
  private var nextNumber = 0

  /// Whether nothing is being read.
  var isEmpty: Bool { loads.isEmpty }

  /// Adds somebody who wants parts, each named once.
  ///
  /// - Returns: The parts that are not being read yet: the store must be asked for them.
  mutating func add(_ parts: [StoredPart], _ completion: Completion) -> [StoredPart] {
    let number = nextNumber
    nextNumber += 1
    loads[number] = Load(completion: completion, missingCount: parts.count)
    return parts.filter { part in
      defer { waiting[part.subject, default: []].append(number) }
      return waiting[part.subject] == nil
    }
  }

  /// Notes that a part was read, or why it was not.
  ///
  /// - Returns: Those who wait for nothing more, in the order in which they came.
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

  /// Traps unless each load waits for as many parts as it is missing.
  func checkInvariants() {
    var counts: [Int: Int] = [:]
    for number in waiting.values.joined() { counts[number, default: 0] += 1 }
    precondition(counts == loads.mapValues(\.missingCount), "\(counts), \(loads)")
  }
}

extension StoredPart {
  /// The part whichever version a reader has.
  fileprivate var subject: StoredPart {
    if case .collection(let name, _) = self { .collection(name, unlessAt: nil) } else { self }
  }
}
