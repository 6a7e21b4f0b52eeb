import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// When what is in memory of a shared store is current enough.
@Suite struct FreshnessTests {
  private let client = name("u")
  private let second = Duration.seconds(1)

  /// Whether a request must wait for a list that was not asked for yet.
  private func needsNewList(
    _ freshness: Freshness, _ confirmation: Requirements.Confirmation, isNew: Bool = false,
    since oldest: Duration = .zero
  ) -> Bool {
    freshness.demand(on: client, confirmation, isNew: isNew, since: oldest) != nil
  }

  @Test func `a list will do until it is older than it may be`() {
    var freshness = Freshness()
    #expect(needsNewList(freshness, .ifOld))
    let number = freshness.ask(client)
    freshness.confirm(client, number, askedAt: second)
    for (oldest, isNeeded) in [(Duration.zero, false), (second, false), (second * 2, true)] {
      #expect(needsNewList(freshness, .ifOld, since: oldest) == isNeeded)
      #expect(needsNewList(freshness, .ifNew, since: oldest) == isNeeded)
    }
  }

  @Test func `who names what is not known, or must be sure, waits for a list asked for later`() {
    var freshness = Freshness()
    let early = freshness.ask(client)
    let wanted = [
      freshness.demand(on: client, .always, isNew: false, since: .zero),
      freshness.demand(on: client, .ifNew, isNew: true, since: .zero),
    ]
    freshness.confirm(client, early, askedAt: .zero)
    #expect(wanted.allSatisfy { $0.map { !freshness.meets($0, client) } == true })
    freshness.confirm(client, freshness.ask(client), askedAt: .zero)
    #expect(wanted.allSatisfy { $0.map { freshness.meets($0, client) } == true })
  }

  @Test func `a list that is late is of the time when it was asked for`() {
    var freshness = Freshness()
    let early = freshness.ask(client)
    let wanted = freshness.demand(on: client, .ifOld, isNew: false, since: second * 2)
    freshness.confirm(client, early, askedAt: second)
    #expect(wanted.map { !freshness.meets($0, client) } == true)
    freshness.confirm(client, freshness.ask(client), askedAt: second * 2)
    #expect(wanted.map { freshness.meets($0, client) } == true)
  }

  @Test func `a list that is later than one asked for after it is not applied`() {
    var freshness = Freshness()
    let numbers = (0..<4).map { _ in freshness.ask(client) }
    var applied = [freshness.apply(client, numbers[1])]
    applied.append(freshness.apply(client, numbers[0]))
    freshness.confirm(client, numbers[3], askedAt: second)
    applied.append(freshness.apply(client, numbers[2]))
    #expect(applied == [true, false, false])
  }

  @Test func `a notice makes the list in memory old, if nobody waits`() {
    var freshness = Freshness()
    freshness.confirm(client, freshness.ask(client), askedAt: second)
    freshness.outdate(client)
    #expect(needsNewList(freshness, .ifOld))
  }

  @Test func `who waits for a later list waits for one that was not outdated since`() {
    var freshness = Freshness()
    let wanted = freshness.demand(on: client, .always, isNew: false, since: .zero)
    freshness.confirm(client, freshness.ask(client), askedAt: second)
    freshness.outdate(client)
    #expect(wanted.map { !freshness.meets($0, client) } == true)
    freshness.confirm(client, freshness.ask(client), askedAt: second)
    #expect(wanted.map { freshness.meets($0, client) } == true)
  }

  @Test func `after a commit in doubt no list counts that was asked for before`() {
    var freshness = Freshness()
    let early = freshness.ask(client)
    freshness.distrustLists(of: client)
    freshness.confirm(client, early, askedAt: second)
    #expect(needsNewList(freshness, .ifOld))
    freshness.confirm(client, freshness.ask(client), askedAt: second)
    #expect(!needsNewList(freshness, .ifOld))
  }

  @Test func `after a deletion no list is applied that was asked for before`() {
    var freshness = Freshness()
    let early = freshness.ask(client)
    freshness.passOverLists(of: client)
    var told = [freshness.apply(client, early), freshness.lacksList(of: client)]
    told += [freshness.apply(client, freshness.ask(client)), freshness.lacksList(of: client)]
    #expect(told == [false, true, true, false])
  }

  @Test func `a list of a time when the client was not in memory says nothing`() {
    var freshness = Freshness()
    let early = freshness.ask(client)
    freshness.forget(client)
    _ = freshness.ask(client)
    freshness.confirm(client, early, askedAt: second)
    #expect(needsNewList(freshness, .ifOld))
  }

  @Test func `a wait is as old as the list of its client, whatever other clients read meanwhile`()
    throws
  {
    let (store, answers, parked) = (MachineStore(), MachineAnswers(), ParkedTime())
    let bench = MachineBench(store, isShared: true)
    let keys = ["a", "b"].map { CollectionKey(client: name($0), name: name("c")) }
    for (id, key) in zip((1 as UInt64)..., keys) {
      bench.handle(.put(id, [key], "[]", answers))
      bench.giveAll()
    }
    let head = try #require(store.head(keys[0]))
    bench.advance(by: .seconds(2))
    bench.handle(.read(10, keys[0], since: head, wait: 20, parked: parked, answers))
    bench.giveAll()
    let first = bench.moment.uptime
    bench.advance(by: .seconds(5))
    // A round through all who wait.
    bench.handle(.othersWrote(nil))
    bench.giveAll()
    let second = bench.moment.uptime
    bench.advance(by: .seconds(5))
    bench.handle(.read(11, keys[1], answers))
    bench.giveAll()
    bench.advance(by: .seconds(20))
    #expect(answers[10] == ["unchanged"] && answers[11].count == 1)
    #expect(second - first == .seconds(5) && parked.asOf == second)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `an answer rests on a list as new as the request needs`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var freshness = Freshness()
    // The slow model: what each list was asked for, and which of them were applied.
    var asked: [(number: Int, date: Duration)] = []
    var applied: (number: Int, date: Duration)?
    var now = Duration.zero
    for _ in 0..<500 {
      now += .milliseconds(Int.random(in: 0...400, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: asked.append((freshness.ask(client), now))
      case 1:
        guard let list = asked.randomElement(using: &generator) else { break }
        freshness.confirm(client, list.number, askedAt: list.date)
        if list.number > applied?.number ?? 0 { applied = list }
      case 2:
        freshness.outdate(client)
        applied?.date = .seconds(-9)
      default:
        let isOld = applied.map { $0.date < now - second } ?? true
        #expect(needsNewList(freshness, .ifOld, since: now - second) == isOld, "seed \(seed)")
        #expect(needsNewList(freshness, .always, since: now - second), "seed \(seed)")
      }
      freshness.checkInvariants()
    }
  }

  @Test func `who must be sure waits for a list asked for after a commit of unknown outcome`() {
    var freshness = Freshness()
    let number = freshness.ask(client)
    freshness.distrustLists(of: client)
    #expect(!freshness.meets(.number(number), client))
    freshness.confirm(client, number, askedAt: .zero)
    #expect(!freshness.meets(.number(number), client))
    freshness.confirm(client, freshness.ask(client), askedAt: .zero)
    #expect(freshness.meets(.number(number), client))
  }
}
