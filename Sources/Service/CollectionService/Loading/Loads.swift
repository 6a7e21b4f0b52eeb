import VersionedCollections

/// A part that the store failed to read.
typealias PartFailure = (part: StoredPart, error: StoreError)

/// The requests of a client that wait for something to be read from the store.
///
/// Each part is read once for all of them. A request is here until it has gone on, so that what was
/// loaded for it stays in memory.
struct Loads {
  /// What goes on once the requirements are loaded.
  enum Purpose: Sendable {
    /// A reader; it may have left.
    case reader(UInt64)
    /// A write that has arrived.
    case write(WriteJob)
    /// A write that has a place in the line, with its number.
    case restart(WriteJob, Int)
    case query(Query)
  }

  enum Phase {
    /// The client's list of collections alone is read: it says how many must be loaded.
    case list
    /// It waits until no other load of several collections is under way.
    case turn
    /// Everything is read.
    case contents
    /// Everything is read, and it is the turn of this load.
    case contentsInTurn
  }

  struct Load: Sendable {
    let requirements: Requirements
    let purpose: Purpose
    var phase: Phase
    /// Which lists of collections will do; nil for any.
    var demand: Freshness.Demand?
    /// The number of times that the store was read in this phase.
    var readCount = 0
    /// The number of parts that it waits for.
    fileprivate var missingCount = 0
    /// The first of them that could not be read.
    fileprivate var failure: PartFailure?

    init(
      _ requirements: Requirements, for purpose: Purpose, _ phase: Phase,
      demand: Freshness.Demand?
    ) {
      (self.requirements, self.purpose) = (requirements, purpose)
      (self.phase, self.demand) = (phase, demand)
    }

    /// The requirements in this phase.
    var current: Requirements {
      guard phase == .list else { return requirements }
      var list = requirements
      list.collections = []
      list.records = nil
      return list
    }
  }

  private var loads: [Int: Load] = [:]
  /// The loads that wait for each part being read, in order of arrival.
  private var waiting: [StoredPart: [Int]] = [:]
  private var nextNumber = 0

  /// Whether no request waits.
  var isEmpty: Bool { loads.isEmpty }

  subscript(number: Int) -> Load? {
    get { loads[number] }
    set { if loads[number] != nil { loads[number] = newValue } }
  }

  /// Adds a load; returns its number.
  mutating func begin(_ load: Load) -> Int {
    nextNumber += 1
    loads[nextNumber] = load
    return nextNumber
  }

  mutating func end(_ number: Int) {
    loads[number] = nil
    // An empty dictionary keeps its memory, which of each client would be more than a small collection.
    if loads.isEmpty { (loads, waiting) = ([:], [:]) }
  }

  /// Has a load wait for distinct parts; returns those not being read yet, which must be read.
  ///
  /// A collection being read is not requested again for a reader with another version. Whoever waits
  /// checks what is still missing.
  mutating func wait(_ number: Int, for parts: [StoredPart]) -> [StoredPart] {
    loads[number]?.missingCount = parts.count
    return parts.filter { part in
      defer { waiting[part.subject, default: []].append(number) }
      return waiting[part.subject] == nil
    }
  }

  /// Records that a part was read, or the error.
  ///
  /// - Returns: The loads that no longer wait for any part, in order of arrival.
  mutating func finish(
    _ part: StoredPart, _ error: StoreError?
  ) -> [(number: Int, failure: PartFailure?)] {
    var finished: [(number: Int, failure: PartFailure?)] = []
    for number in waiting.removeValue(forKey: part.subject) ?? [] {
      guard var load = loads[number] else { continue }
      load.missingCount -= 1
      let failure = load.failure ?? error.map { (part, $0) }
      load.failure = load.missingCount > 0 ? failure : nil
      loads[number] = load
      if load.missingCount == 0 { finished.append((number, failure)) }
    }
    return finished
  }

  /// Traps unless each load waits for exactly `missingCount` parts.
  func checkInvariants() {
    var counts: [Int: Int] = [:]
    for number in waiting.values.joined() { counts[number, default: 0] += 1 }
    precondition(
      counts == loads.mapValues(\.missingCount).filter { $0.value > 0 }, "\(counts), \(loads)")
  }
}

extension StoredPart {
  /// The part without the reader's version.
  fileprivate var subject: StoredPart {
    if case .collection(let name, _) = self { .collection(name, unlessAt: nil) } else { self }
  }
}
