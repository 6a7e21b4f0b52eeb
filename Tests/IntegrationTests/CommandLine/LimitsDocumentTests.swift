import Foundation
import SnapshotJSON
import TestSupport
import Testing

/// `docs/limits.md` against the settings and the tests that it names.
@Suite struct LimitsDocumentTests {
  private struct Row {
    let quantity: String
    let settings: [String]
    let fallback: String
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
        quantity: cells[0], settings: quoted(cells[1]), fallback: cells[2], tests: quoted(cells[4]))
    }
  }()

  /// The parts of a cell that stand between backticks.
  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test func `every setting that bounds something has a row, with its default`() throws {
    let config = Program.root.appending(path: "config/livedelta.json")
    let root = try JSONReader().read(Array(try Data(contentsOf: config))).root
    for group in ["limits", "timeouts", "history", "shares", "traces"] {
      // A text or a ratio bounds nothing.
      for (name, value) in root[group]?.members.map({ $0 }) ?? [] where value.int != nil {
        let setting = "\(group).\(name)"
        let rows = Self.rows.filter { $0.settings.contains(setting) }
        #expect(!rows.isEmpty, "\(setting) has no row")
        let number = value.rawText
        #expect(
          rows.contains { row in Self.numbers(row.fallback).contains { String($0) == number } },
          "\(setting) is \(number): \(rows.map(\.fallback))")
      }
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

  /// The numbers of a cell: `16 MiB`, `10,000`, `7 d`, several with commas between.
  private static func numbers(_ cell: String) -> [Int] {
    let units = [
      "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "d": 86_400, "min": 60, "h": 3600,
    ]
    let words = cell.split(separator: " ").map(String.init)
    return words.indices.compactMap { index in
      guard let number = Int(words[index].filter { $0.isNumber }) else { return nil }
      let unit = index + 1 < words.count ? words[index + 1].filter(\.isLetter) : ""
      return number * (units[unit] ?? 1)
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
