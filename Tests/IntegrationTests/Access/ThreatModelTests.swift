import Foundation
import Testing

/// `docs/threat-model.md` against the tests that it names.
@Suite struct ThreatModelTests {
  @Test func `every threat names tests that there are`() throws {
    let file = Program.root.appending(path: "docs/threat-model.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rows = text.split(separator: "\n").compactMap { line -> [Substring]? in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, !cells[1].hasPrefix("-"), cells[1] != " threat " else { return nil }
      return cells
    }
    #expect(rows.count > 10)
    let names = try LimitsDocumentTests.quotedInTests()
    for row in rows {
      let tests = row[3].split(separator: "`").filter { !$0.allSatisfy { ", ".contains($0) } }
      #expect(!tests.isEmpty, "\(row[1]): no test")
      for test in tests { #expect(names.contains(test), "no test \(test)") }
    }
  }
}
