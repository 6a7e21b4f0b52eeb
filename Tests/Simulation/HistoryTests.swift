import Testing

@testable import VersionedCollections

/// Histories written by hand, lawful and unlawful.
struct HistoryTests {
  private static func version(_ lineage: String, _ seq: Int) -> VersionToken {
    VersionToken(lineage: lineage, seq: seq, digest: "AAAAAAAAAAAAAAAA")
  }

  private let a1 = version("a", 1)
  private let a2 = version("a", 2)
  private let a3 = version("a", 3)
  private let b1 = version("b", 1)
  private let b2 = version("b", 2)

  /// A change by an operation, at some time since the store committed it.
  private func change(
    _ version: VersionToken?, by operation: Int, from time: Microseconds,
    to end: Microseconds = .max
  ) -> History.Change {
    History.Change(version: version, operation: operation, times: time...end)
  }

  private func call(
    _ operation: Int, _ claim: History.Claim, _ times: ClosedRange<Microseconds>,
    shown: VersionToken? = nil
  ) -> History.Call {
    History.Call(
      operation: operation, claim: claim, begin: times.lowerBound, end: times.upperBound,
      shown: shown)
  }

  /// Two versions by operations 1 and 2, whose commits take place at 10 and 20.
  private var two: [History.Change] { [change(a1, by: 1, from: 10), change(a2, by: 2, from: 20)] }

  /// A collection that is created, deleted and created again.
  private var again: [History.Change] {
    [
      change(a1, by: 1, from: 10), change(nil, by: 2, from: 20), change(b1, by: 3, from: 30),
      change(b2, by: 4, from: 40),
    ]
  }

  private func isLawful(_ changes: [History.Change], _ calls: History.Call...) -> Bool {
    History.fault(of: calls, changes) == nil
  }

  @Test func `a write is seen once it is acknowledged, and may be seen before`() {
    let write = call(2, .wrote(a2), 15...30)
    #expect(isLawful(two, write, call(3, .saw(a1), 16...29)))
    #expect(isLawful(two, write, call(3, .saw(a2), 16...29)))
    #expect(isLawful(two, write, call(3, .saw(a1), 29...60)))
    #expect(!isLawful(two, write, call(3, .saw(a1), 31...60)))
  }

  @Test func `a write is not seen before the store committed it`() {
    #expect(isLawful(two, call(3, .saw(a2), 5...20)))
    #expect(!isLawful(two, call(3, .saw(a2), 5...19)))
  }

  @Test func `what somebody saw, whoever asks afterwards sees`() {
    let first = call(3, .saw(a2), 22...25)
    #expect(isLawful(two, first, call(4, .saw(a1), 24...40)))
    #expect(!isLawful(two, first, call(4, .saw(a1), 26...40)))
    #expect(isLawful(two, first, call(4, .saw(a1), 5...12)))
    // The order in which calls are told does not matter.
    #expect(!isLawful(two, call(4, .saw(a1), 26...40), first))
  }

  @Test func `a write of unknown outcome takes effect at any time since its commit`() {
    // Nobody was told; it is seen late.
    #expect(isLawful(two, call(3, .saw(a1), 1000...1100), call(4, .saw(a2), 1050...1200)))
    #expect(!isLawful(two, call(3, .saw(a1), 1100...1150), call(4, .saw(a2), 1050...1099)))
  }

  @Test func `a write that took no effect is not acknowledged`() {
    #expect(!isLawful(two, call(3, .wrote(a3), 15...30)))
    // It was another's.
    #expect(!isLawful(two, call(3, .wrote(a2), 15...30)))
    #expect(!isLawful(two, call(2, .wrote(a2), 1...19)))
    #expect(!isLawful(two, call(3, .saw(a3), 15...30)))
  }

  @Test func `changes happen in the order of their versions`() {
    // The second is acknowledged before the first can have happened.
    let changes = [change(a1, by: 1, from: 10), change(a2, by: 2, from: 5)]
    #expect(!isLawful(changes, call(2, .wrote(a2), 3...8)))
    #expect(isLawful(changes, call(2, .wrote(a2), 3...10)))
    // A reader delays the first, and with it the second.
    let wait = call(3, .saw(nil), 15...16)
    #expect(isLawful(two, wait, call(2, .wrote(a2), 3...21)))
    #expect(!isLawful(two, call(3, .saw(nil), 25...26), call(2, .wrote(a2), 3...21)))
  }

  @Test func `a refusal because of a version needs another version at some time`() {
    let write = call(2, .wrote(a2), 15...30)
    // Who expected the first may meet the second.
    #expect(isLawful(two, write, call(3, .missed(a1), 21...40)))
    // Nobody wrote in between.
    #expect(!isLawful(two, write, call(3, .missed(a2), 31...40)))
    #expect(isLawful(two, write, call(3, .missed(a2), 29...40)))
    #expect(isLawful(two, write, call(3, .missed(a1), 31...40)))
    // Who met the second has seen it, unless the first came only then.
    let met = call(3, .missed(a1), 12...22)
    #expect(isLawful(two, met, call(4, .saw(a1), 23...40)))
    #expect(
      !isLawful(two, call(1, .wrote(a1), 5...11), met, call(4, .saw(a1), 23...40)))
  }

  @Test func `a refusal because a collection is there needs one`() {
    #expect(!isLawful(two, call(3, .missed(nil), 1...9)))
    #expect(isLawful(two, call(3, .missed(nil), 1...10)))
    let deletion = call(2, .deleted(a1), 18...25)
    #expect(isLawful(again, deletion, call(5, .missed(nil), 22...29)))
    #expect(!isLawful(again, deletion, call(5, .missed(nil), 26...29)))
    #expect(isLawful(again, deletion, call(5, .missed(nil), 26...30)))
    // Who is refused has seen what refused it.
    let refusal = call(5, .missed(nil), 22...29)
    #expect(isLawful(again, refusal, call(6, .saw(nil), 20...21)))
    #expect(
      !isLawful(again, call(1, .wrote(a1), 5...12), refusal, call(6, .saw(nil), 20...21)))
  }

  @Test func `nothing is seen before the first version, and between lineages`() {
    #expect(isLawful(again, call(5, .saw(nil), 0...5), call(6, .saw(nil), 25...26)))
    #expect(isLawful(again, call(6, .saw(nil), 35...36)))
    #expect(!isLawful(again, call(6, .saw(nil), 35...36), call(3, .wrote(b1), 28...34)))
    #expect(!isLawful(again, call(1, .wrote(a1), 5...12), call(6, .saw(nil), 13...19)))
    #expect(!isLawful(again, call(6, .saw(nil), 45...46), call(7, .saw(b2), 40...44)))
    // Not the time before the first, for who has seen a version.
    #expect(isLawful(again, call(6, .saw(nil), 0...15)))
    #expect(!isLawful(again, call(6, .saw(nil), 0...15, shown: a1)))
    #expect(isLawful(again, call(6, .saw(nil), 0...20, shown: a1)))
  }

  @Test func `a deletion is of the last version, and by who was told`() {
    #expect(isLawful(again, call(2, .deleted(a1), 15...25)))
    #expect(!isLawful(again, call(3, .deleted(a1), 15...25)))
    #expect(!isLawful(again, call(2, .deleted(b1), 15...25)))
    #expect(!isLawful(again, call(2, .deleted(a1), 15...25), call(5, .saw(a1), 26...30)))
    #expect(isLawful(again, call(5, .sawDeletion(after: a1), 1...20)))
    #expect(!isLawful(again, call(5, .sawDeletion(after: a1), 1...19)))
    #expect(!isLawful(again, call(5, .sawDeletion(after: b1), 1...99)))
  }

  @Test func `a lineage does not come back`() {
    #expect(!isLawful(again, call(5, .saw(b1), 30...31), call(6, .saw(a1), 32...40)))
    #expect(!isLawful(again, call(5, .saw(a1), 32...40), call(3, .wrote(b1), 28...31)))
    #expect(isLawful(again, call(5, .saw(a1), 32...40), call(3, .wrote(b1), 28...33)))
  }

  @Test func `what a reader shows it has seen`() {
    #expect(!isLawful(two, call(3, .saw(a1), 5...25, shown: a2)))
    #expect(isLawful(two, call(3, .saw(a1), 5...25, shown: a1)))
    // A version that nobody knows says nothing.
    #expect(isLawful(two, call(3, .saw(a1), 5...25, shown: b1)))
  }

  @Test func `a shared store is as its commits say`() {
    let shared = [change(a1, by: 1, from: 10, to: 10), change(a2, by: 2, from: 20, to: 20)]
    #expect(!isLawful(shared, call(3, .saw(a1), 21...40)))
    // It may be a while behind.
    #expect(isLawful(shared, call(3, .saw(a1), (21 - 5)...40)))
    #expect(!isLawful(shared, call(3, .saw(a1), (21 - 5)...40, shown: a2)))
  }

  @Test func `one delay may bring about the next`() {
    // Who saw nothing delays b1, hence who was refused because of b1 saw b2, which delays nothing.
    let calls = [
      call(5, .saw(nil), 35...36), call(6, .missed(b1), 37...39), call(7, .saw(nil), 37...38),
    ]
    #expect(History.fault(of: calls, again) == nil)
    #expect(History.fault(of: calls + [call(8, .wrote(b1), 20...36)], again) != nil)
    #expect(History.fault(of: calls + [call(3, .wrote(b1), 20...37)], again) == nil)
    #expect(History.fault(of: calls + [call(3, .wrote(b1), 20...36)], again) != nil)
  }
}
