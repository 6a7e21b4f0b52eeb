import LiveCollectionsScenarios
import Synchronization
import Testing

/// Every scenario, played on text views with a strict judge behind each.
@Suite struct ScenarioTests {
  /// What a scenario wrote.
  private final class Script: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ line: String) { kept.withLock { $0.append(line) } }
  }

  @Test(arguments: 1...15, [1, 2, 3] as [UInt64])
  func `a scenario shows legal batches only`(number: Int, seed: UInt64) async throws {
    let scenario = try #require(Scenario.all.first { $0.number == number })
    let script = Script()
    let stage = Stage(seed: seed) { script.write($0) }
    await scenario.run(on: stage)
    #expect(stage.faults == [])
    #expect(stage.batchCount > 0)
    #expect(script.lines.contains { $0.hasPrefix("  = ") })
    #expect(!script.lines.contains { $0.contains("rejected") })
  }

  @Test func `there are fifteen scenarios, in order`() {
    #expect(Scenario.all.map(\.number) == Array(1...15))
  }

  @Test func `the first showing goes and nothing moves`() async {
    let script = Script()
    let stage = Stage(seed: 1) { script.write($0) }
    await Scenario.all[9].run(on: stage)
    let lines = script.lines
    let start = lines.firstIndex(of: "the first showing is over:").map { $0 + 1 } ?? 0
    #expect(lines[start].hasPrefix("  - [0, 0]"))
    #expect(lines[start + 1] == "  = applied by batches")
  }

  @Test func `sections that are synchronised share a batch`() async {
    let script = Script()
    let stage = Stage(seed: 1) { script.write($0) }
    await Scenario.all[13].run(on: stage)
    #expect(stage.batchCount <= 2)
    #expect(script.lines.contains { $0.hasSuffix("(top)") })
    #expect(script.lines.contains { $0.hasSuffix("(right)") })
  }

  @Test func `rows that change update their own collections`() async {
    let script = Script()
    let stage = Stage(seed: 1) { script.write($0) }
    await Scenario.all[7].run(on: stage)
    #expect(script.lines.contains { $0.hasPrefix("      = applied") })
    #expect(script.lines.contains { $0.hasPrefix("  > section") })
  }
}
