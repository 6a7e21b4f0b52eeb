import DeltaEngine
import Foundation
import ListTestSupport
import TestSupport
import Testing

/// Deltas whose headers are updated alone.
@Suite struct HeaderDeltaTests {
  @Test(arguments: [21, 22, 23])
  func `headers apart are lawful, reload no section, and need no more steps`(seed: UInt64) throws {
    var lists = RandomLists(seed: seed)
    for round in 0..<rounds(5_000) {
      let (source, target) = lists.pair()
      let delta = try Delta(from: source, to: target)
      let apart = delta.separatingHeaders()
      try Simulator.check(apart, from: source, to: target)
      #expect(apart.steps.count <= delta.steps.count, "seed \(seed), round \(round)")
      #expect(!apart.steps.contains { !$0.reload.sections.isEmpty })
      #expect(apart.changes == delta.changes)
      #expect(
        apart.steps.flatMap(\.headers).map(\.index)
          == delta.changes.reloadedSections.map(\.target.index))
      #expect(apart.separatingHeaders() == apart)
      let data = try JSONEncoder().encode(apart)
      #expect(try JSONDecoder().decode(Delta.self, from: data) == apart)
    }
  }

  @Test func `a header is not shown again without need, twice, or beside a reload of its section`()
    throws
  {
    let (source, target) = (list("x:A y:B"), list("x1:A y:BC"))
    let delta = try Delta(from: source, to: target).separatingHeaders()
    try Simulator.check(delta, from: source, to: target)
    for headers in [[], [1], [0, 1], [1, 0], [0, 0], [2]] {
      var other = delta
      other.steps[0].headers = headers.map { SectionIndex($0) }
      #expect(throws: LawViolation.self, "\(headers)") {
        try Simulator.check(other, from: source, to: target)
      }
    }
    var both = try Delta(from: source, to: target)
    both.steps[1].headers = [SectionIndex(0)]
    #expect(throws: LawViolation.self) { try Simulator.check(both, from: source, to: target) }
  }

  @Test func `a step that was encoded without headers has none, and bad ones are refused`() throws {
    var delta = try Delta(from: list("x:A y:B"), to: list("x1:A y:BC"))
    let text = String(decoding: try JSONEncoder().encode(delta), as: UTF8.self)
      .replacingOccurrences(of: #","headers":[]"#, with: "")
      .replacingOccurrences(of: #""headers":[],"#, with: "")
    #expect(!text.contains("headers"))
    #expect(try JSONDecoder().decode(Delta.self, from: Data(text.utf8)) == delta)
    delta.steps[0].headers = [SectionIndex(2)]
    let bad = try JSONEncoder().encode(delta)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Delta.self, from: bad) }
  }
}
