import Foundation
import Testing

/// A whole cluster in one thread; see docs/testing.md.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  @Test(arguments: 1...100 as ClosedRange<UInt64>) func `a seed breaks no law`(seed: UInt64) {
    let outcome = Simulation.run(Plan(seed: seed, seconds: 10))
    #expect(outcome.violation == nil, "\(outcome.plan.text)")
  }
}
