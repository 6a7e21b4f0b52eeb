import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// Seeded random pairs of larger sectioned lists.
@Suite struct RandomTests {
  /// Four seeds, which run side by side.
  @Test(arguments: [0x11FE_DE17, 0xC0FF_EE00, 20_261_121, 42])
  func `random pairs of sectioned lists have lawful deltas`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    for round in 0..<rounds(25_000) {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      do {
        try Simulator.check(delta, from: source, to: target)
      } catch {
        Issue.record("seed \(seed), round \(round): \(source) → \(target): \(error)")
        return
      }
    }
  }
}
