import VersionedCollections

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
    /// A question.
    case query(Query)
  }

  /// How far a load is.
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

  /// One request.
  struct Load: Sendable {
    let requirements: Requirements
    let purpose: Purpose
    var phase: Phase
    /// Which lists of collections will do; nil for any.
    var demand: Freshness.Demand?
    /// The number of times that the store was read in this phase.
    var readCount = 0

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
  private var parts = PendingLoads<Int>()
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

  /// Removes a load.
  mutating func end(_ number: Int) { loads[number] = nil }

  /// Has a load wait for distinct parts; returns the parts not being read yet, which must be read.
  mutating func wait(_ number: Int, for parts: [StoredPart]) -> [StoredPart] {
    self.parts.add(parts, number)
  }

  /// Records that a part was read, or the error.
  ///
  /// - Returns: The loads that no longer wait for any part, in order of arrival.
  mutating func finish(
    _ part: StoredPart, _ error: StoreError?
  ) -> [(number: Int, failure: PartFailure?)] {
    parts.finish(part, error).map { ($0.completion, $0.failure) }
  }

  /// Traps unless exactly the loads that are under way wait for parts.
  func checkInvariants() {
    parts.checkInvariants()
    for number in parts.completions {
      precondition(loads[number] != nil, "load \(number) waits for a part and is over")
    }
  }
}
