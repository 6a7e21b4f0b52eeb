import TestSupport

/// All that a simulation depends on.
struct Plan: Hashable, Sendable {
  var seed: UInt64
  /// The simulated seconds in which users are active.
  var seconds = 60
  /// The faults that may happen; which of them do is drawn from the seed.
  var faults = Set(FaultKind.allCases)
  /// The operations that users carry out, by number; nil for all.
  var operations: Set<Int>?
  /// What all users do; nil for something of everything.
  var theme: Theme?

  /// A narrow path on which what is rare elsewhere comes together.
  enum Theme: String, CaseIterable, Sendable {
    /// One collection after the other is created, read and deleted, at all replicas in turn, and streams wait for it.
    case races
    /// All readers have views, of versions that have left memory and are read anew, in half of the seeds slowly.
    case views
  }

  /// Random numbers for one purpose, which do not depend on what others draw.
  func generator(_ purpose: Purpose, _ number: Int = 0) -> SeededGenerator {
    var mixer = SeededGenerator(
      seed: seed &* 0x9E37_79B9 &+ UInt64(purpose.rawValue) &* 1_000_003 &+ UInt64(number) << 20)
    return SeededGenerator(seed: mixer.next())
  }

  /// What goes wrong in this seed: in a sixth of all seeds nothing, in a sixth lists are late at most; in a third each
  /// kind now and then in a third of them, and in a third two to four kinds, often.
  var chosenFaults: Set<FaultKind> {
    var generator = generator(.faults)
    var chosen: Set<FaultKind> = []
    switch theme {
    case .races: return faults.intersection([.lateLists])
    case .views:
      let kinds: Set<FaultKind> = [.tinyMemory, .slowStore]
      return faults.intersection(generator.below(2) == 0 ? [.tinyMemory] : kinds)
    case nil: break
    }
    switch generator.below(6) {
    case 0: break
    case Self.raceShare: if generator.below(4) > 0 { chosen.insert(.lateLists) }
    case Self.focusedShare:
      for _ in 0..<(2 + generator.below(3)) {
        chosen.insert(FaultKind.allCases[generator.below(FaultKind.allCases.count)])
      }
    default:
      for kind in FaultKind.allCases where generator.below(3) == 0 { chosen.insert(kind) }
    }
    return chosen.intersection(faults)
  }

  private static let raceShare = 3

  /// Whether users race: much happens to one collection, at several replicas.
  var isRace: Bool {
    if let theme { return theme == .races }
    var generator = generator(.faults)
    return generator.below(6) == Self.raceShare
  }

  private static let focusedShare = 1...2

  /// Whether what goes wrong goes wrong often.
  private var isFocused: Bool {
    var generator = generator(.faults)
    return Self.focusedShare.contains(generator.below(6))
  }

  /// The number of events of which one goes wrong, for one that is ordinary.
  func oneIn(_ ordinary: Int) -> Int { isFocused ? max(2, ordinary / 3) : ordinary }

  /// The longest time between two faults, for one that is ordinary.
  func pause(_ ordinary: Microseconds) -> Microseconds { isFocused ? ordinary / 4 : ordinary }

  /// Whether there is one replica, and its store is that of SQLite on a disk: in a ninth of all seeds.
  var isOnDisk: Bool {
    var (replicas, disk) = (generator(.replicas), generator(.disk))
    return 1 + replicas.below(3) == 1 && disk.below(3) == 0 && theme == nil
  }

  /// The plan as Swift, to be pasted into a test.
  var text: String {
    let kinds = FaultKind.allCases.filter { chosenFaults.contains($0) }.map { ".\($0)" }
    var text = "Plan(seed: \(seed), seconds: \(seconds), faults: [\(kinds.joined(separator: ", "))]"
    if let operations {
      text += ", operations: [\(operations.sorted().map(String.init).joined(separator: ", "))]"
    }
    if let theme { text += ", theme: .\(theme)" }
    return text + ")"
  }
}

/// What random numbers are drawn for.
enum Purpose: Int {
  case faults, world, network, store, replicas, users, operation, machine, credentials, views, disk
}

/// What goes wrong.
enum FaultKind: String, CaseIterable, Sendable {
  /// Messages between users and replicas are late or lost.
  case network
  /// Connections are cut.
  case cuts
  /// The store is slow now and then.
  case slowStore
  /// Commits may have taken place or not, or take place later.
  case unknownCommits
  /// The store cannot be reached for some seconds.
  case storeAway
  /// Replicas are killed and started again.
  case kills
  /// The calendar jumps.
  case dates
  /// Everything is evicted all the time.
  case tinyMemory
  /// Only few versions are retained.
  case shortHistory
  /// Notices of what other replicas wrote are lost.
  case lostNotices
  /// Requests with keys, notices and commits arrive twice.
  case doubled
  /// The clocks of replicas go too fast or too slow, by up to two percent.
  case drift
  /// The store loses what was committed last: a standby takes over that was behind.
  case failover
  /// Single reads of the store fail.
  case failedReads
  /// Few readers may wait, and the feed has few changes in memory.
  case smallLimits
  /// Credentials end.
  case credentials
  /// Lists of collections are late, and so is the news of what became of commits.
  case lateLists
}

extension SeededGenerator {
  /// A number from 0 to below a bound.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// An element; nil if there is none.
  mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element? {
    if elements.isEmpty { return nil }
    return elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }
}

/// Microseconds of simulated time.
typealias Microseconds = Int

extension Int {
  var milliseconds: Microseconds { self * 1000 }
  var seconds: Microseconds { self * 1_000_000 }
}
