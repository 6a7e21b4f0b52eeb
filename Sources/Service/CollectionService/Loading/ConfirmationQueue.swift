import VersionedCollections

/// The clients whose lists a shard is to ask a shared store for, one question at a time.
///
/// Once a second a round begins through all clients that somebody waits for, unless the last one is
/// not over: with a slow store rounds are fewer, and nothing piles up. Clients that others have
/// written, as far as is known, come first.
struct ConfirmationQueue {
  private var urgent: Set<ResourceName> = []
  private var round: [ResourceName] = []
  private var isAsking = false
  private var isFailing = false

  /// Adds clients to be asked for before those of the round.
  mutating func add(_ names: [ResourceName]) { urgent.formUnion(names) }

  /// Begins a round, unless one is under way.
  mutating func beginRound(_ names: () -> [ResourceName]) {
    if round.isEmpty { round = names() }
  }

  /// Removes and returns the clients of the next question; nil if there are none, or one is not answered yet.
  mutating func next(countMax: Int) -> [ResourceName]? {
    guard !isAsking else { return nil }
    // The round goes on however many are written: what is known of that may be incomplete.
    var names = Set(urgent.sorted().prefix(round.isEmpty ? countMax : (countMax + 1) / 2))
    urgent.subtract(names)
    while names.count < countMax, let name = round.popLast() { names.insert(name) }
    isAsking = !names.isEmpty
    return isAsking ? names.sorted() : nil
  }

  /// Records that a question was answered.
  mutating func succeed() { (isAsking, isFailing) = (false, false) }

  /// Records that a question failed, and leaves the others to the next round.
  ///
  /// - Returns: Whether the one before succeeded.
  mutating func fail() -> Bool {
    let isFirst = !isFailing
    self = ConfirmationQueue()
    isFailing = true
    return isFirst
  }
}
