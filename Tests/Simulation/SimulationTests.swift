import Foundation
import Testing

/// Returns the first of a test's seeds: all, or as many as leave `SEEDS` to the tests together, which have 844.
private func share(of seeds: [UInt64]) -> [UInt64] {
  guard let most = ProcessInfo.processInfo.environment["SEEDS"].flatMap({ Int($0) }) else {
    return seeds
  }
  return Array(seeds.prefix(max(1, seeds.count * most / 844)))
}

/// A whole cluster in one thread; see README.md.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  @Test(arguments: share(of: Array(1...200))) func `a known seed breaks no law`(seed: UInt64) {
    check(Plan(seed: seed, seconds: 10))
  }

  @Test(arguments: share(of: (1...400).filter { Plan(seed: $0).isOnDisk }))
  func `a known seed on a disk breaks no law`(seed: UInt64) {
    check(Plan(seed: seed, seconds: 20))
  }

  /// Seeds that nobody has tried.
  private static let news = UInt64.random(in: 1...1 << 40)

  @Test(arguments: share(of: Array(0..<500))) func `a new seed breaks no law`(number: UInt64) {
    check(Plan(seed: Self.news + number, seconds: 5))
  }

  @Test(arguments: Plan.Theme.allCases, share(of: Array(0..<50)))
  func `a new seed with a theme breaks no law`(theme: Plan.Theme, number: UInt64) {
    check(Plan(seed: Self.news + number, seconds: 10, theme: theme))
  }

  private func check(_ plan: Plan) {
    let outcome = Simulation.run(plan)
    #expect(outcome.violation == nil, "\(plan.text)")
  }

  @Test func `the same seed gives the same trace`() {
    let plan = Plan(seed: 7, seconds: 10)
    let traces = (0..<2).map { _ in Simulation.run(plan, keepsTrace: true).trace }
    #expect(traces[0] == traces[1])
    #expect(traces[0].count > 100)
  }

  /// Prints what `scripts/test same-traces` compares with what another process prints; both have the same hash seed.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["PRINT_TRACES"] != nil))
  func printTraces() {
    let hashes = (1...40).map { Simulation.run(Plan(seed: $0, seconds: 10)).hash }
    print("traces: \(hashes)")
  }
}
