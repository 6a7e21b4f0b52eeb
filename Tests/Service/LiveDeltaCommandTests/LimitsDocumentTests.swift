import Foundation
import Testing

@testable import livedelta

/// `docs/limits.md` against the settings and the tests that it names.
@Suite struct LimitsDocumentTests {
  private struct Row {
    let quantity: String
    let settings: [String]
    let tests: [String]
  }

  private static let rows: [Row] = {
    let file = Program.root.appending(path: "docs/limits.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line -> Row? in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
        .dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, !cells[0].hasPrefix("-"), cells[0] != "quantity" else { return nil }
      return Row(
        quantity: cells[0], settings: quoted(cells[1]), tests: quoted(cells[4]))
    }
  }()

  /// The parts of a cell that stand between backticks.
  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test func `every setting that bounds something has a row`() {
    for setting in Setting.all where setting.range != nil {
      let group = setting.name.prefix { $0 != "." }
      guard ["limits", "timeouts", "history", "shares"].contains(group) else { continue }
      #expect(
        Self.rows.contains { $0.settings.contains(setting.name) }, "\(setting.name) has no row")
    }
  }

  @Test func `every row names tests that there are`() throws {
    let names = try Self.quotedInTests()
    #expect(!Self.rows.isEmpty)
    for row in Self.rows {
      #expect(!row.tests.isEmpty, "\(row.quantity): no test")
      for test in row.tests {
        #expect(names.contains(test[...]), "no test \(test)")
      }
    }
  }

  /// What stands between backticks or quotation marks in any test, those in other languages too.
  static func quotedInTests() throws -> Set<Substring> {
    let folder = Program.root.appending(path: "Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<Substring> = []
    while let file = files?.nextObject() as? URL {
      guard ["swift", "py"].contains(file.pathExtension) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for mark in ["`", "\""] as [Character] { names.formUnion(text.split(separator: mark)) }
    }
    return names
  }
}
