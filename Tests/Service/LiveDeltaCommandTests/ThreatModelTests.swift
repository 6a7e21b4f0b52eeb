import Foundation
import Testing

/// `docs/threat-model.md` against the tests that it names.
@Suite struct ThreatModelTests {
  @Test func `every threat names tests that there are`() throws {
    let file = Program.root.appending(path: "docs/threat-model.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let threats = text.split(separator: "\n* **").dropFirst()
    #expect(threats.count > 10)
    let names = try LimitsDocumentTests.quotedInTests()
    for threat in threats {
      let item = threat.prefix(upTo: threat.firstRange(of: "\n\n")?.lowerBound ?? threat.endIndex)
      let list = try #require(item.firstRange(of: "Tests:"), "\(item): no test")
      let tests = item[list.upperBound...].matches(of: /`([^`]+)`/)
      #expect(!tests.isEmpty, "\(item): no test")
      for test in tests { #expect(names.contains(test.1), "no test \(test.1)") }
    }
  }
}
