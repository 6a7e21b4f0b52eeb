import Synchronization
import Testing

/// Every scenario, played on text views with a strict judge behind each.
@MainActor @Suite struct ScenarioTests {
  /// What a scenario wrote.
  private final class Script: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }

    func write(_ line: String) { kept.withLock { $0.append(line) } }
  }

  private func play(
    _ number: Int, seed: UInt64 = 1
  ) async throws -> (lines: [String], batches: Int) {
    let scenario = try #require(Scenario.all.first { $0.number == number })
    let script = Script()
    let stage = Stage(seed: seed) { script.write($0) }
    await scenario.run(on: stage)
    #expect(stage.faults == [])
    return (script.lines, stage.batchCount)
  }

  @Test(arguments: 1...15, [1, 2, 3] as [UInt64])
  func `a scenario shows legal batches only`(number: Int, seed: UInt64) async throws {
    let (lines, batches) = try await play(number, seed: seed)
    #expect(batches > 0)
    #expect(lines.contains { $0.hasPrefix("  = ") })
    #expect(!lines.contains { $0.contains("rejected") })
  }

  @Test func `there are fifteen scenarios, in order`() {
    #expect(Scenario.all.map(\.number) == Array(1...15))
  }

  @Test(arguments: [1, 2])
  func `scenarios 1 and 2: updates faster than they can be shown are merged`(
    number: Int
  ) async throws {
    let (lines, _) = try await play(number)
    let fast = lines.firstIndex(of: "updates faster than they can be shown:") ?? 0
    #expect(lines[fast...].contains { $0.hasPrefix("  = merged into") })
    #expect(lines.last { $0.hasPrefix("  = ") } == "  = applied by batches")
    #expect(lines.contains { $0.hasSuffix("(bottom)") } == (number == 2))
  }

  @Test func `scenarios 3 and 4: what is synchronised shares a batch, the rest does not`()
    async throws
  {
    let together = try await play(3)
    let apart = try await play(4)
    #expect(together.batches < apart.batches)
  }

  @Test(arguments: [5, 6])
  func `scenarios 5 and 6: movies change shelves, shelves come, go and move`(
    number: Int
  ) async throws {
    var lines: [String] = []
    for seed in 1...4 as ClosedRange<UInt64> { lines += try await play(number, seed: seed).lines }
    for start in ["  + section", "  - section", "  > section", "  > ["] {
      #expect(lines.contains { $0.hasPrefix(start) }, "\(start)")
    }
  }

  @Test func `scenario 7: a row that goes takes its movies along`() async throws {
    let (lines, _) = try await play(7)
    #expect(lines.contains { $0.contains("is gone, with its movies") })
    #expect(lines.contains { $0.hasPrefix("      = applied") })
  }

  @Test func `scenario 8: rows that change update their own collections`() async throws {
    let (lines, _) = try await play(8)
    #expect(lines.contains { $0.hasPrefix("      = applied") })
    #expect(lines.contains { $0.hasPrefix("  > section") })
  }

  @Test func `scenario 9: the same list is reloaded where the factory knows better`() async throws {
    let (lines, _) = try await play(9)
    let start = try #require(
      lines.firstIndex(of: "two movies come into theaters, the list is the same:"))
    #expect(lines[start + 1...start + 2].allSatisfy { $0.hasPrefix("  ~ ") })
    #expect(lines[start + 3] == "  = applied by batches")
  }

  @Test func `scenario 10: the first showing goes and nothing moves`() async throws {
    let (lines, _) = try await play(10)
    let start = try #require(lines.firstIndex(of: "the first showing is over:")) + 1
    #expect(lines[start].hasPrefix("  - [0, 0]"))
    #expect(lines[start + 1] == "  = applied by batches")
  }

  @Test func `scenario 11: a showing moves to another day`() async throws {
    let (lines, _) = try await play(11)
    let start = try #require(lines.firstIndex(of: "a showing moves to Saturday:")) + 1
    #expect(lines[start].hasPrefix("  > [0, 2] to [1, 1]"))
    #expect(lines[start + 1] == "  = applied by batches")
  }

  @Test func `scenario 12: what is ahead is known before it is shown`() async throws {
    let (lines, _) = try await play(12)
    #expect(lines.contains { $0.hasSuffix("are ahead; now:") })
    #expect(lines.contains("  = shown"))
  }

  @Test func `scenario 13: rows have animations, and so has the section`() async throws {
    let (lines, _) = try await play(13)
    for animation in ["(left)", "(right)"] {
      #expect(lines.contains { $0.hasSuffix(animation) }, "\(animation)")
    }
    #expect(lines.contains { $0.hasPrefix("  ~ section") && $0.hasSuffix("(fade)") })
  }

  @Test func `scenario 14: sections with animations of their own share a batch`() async throws {
    let (lines, batches) = try await play(14)
    #expect(batches <= 2)
    #expect(lines.contains { $0.hasSuffix("(top)") })
    #expect(lines.contains { $0.hasSuffix("(right)") })
  }

  @Test func `scenario 15: sections are animated by their names`() async throws {
    let (lines, _) = try await play(15)
    #expect(lines.contains { $0.contains("section") && $0.hasSuffix("(top)") })
    #expect(lines.contains { $0.hasPrefix("  + [") && $0.hasSuffix("(right)") })
  }
}
