import DeltaEngine
import ListTestSupport
import Testing

/// The small cases that the older libraries were tested with, and those that they get wrong.
@Suite struct ReferenceCaseTests {
  /// Source, target, deleted and inserted indices, and the least number of moves.
  @Test(arguments: [
    ("ABCDE", "BCDE", [0], [], 0),
    ("ABCDE", "ACDE", [1], [], 0),
    ("ABCDE", "ABCE", [3], [], 0),
    ("ABCDE", "BD", [0, 2, 4], [], 0),
    ("ABCDE", "", [0, 1, 2, 3, 4], [], 0),
    ("DCAEB", "DACBE", [], [], 2),
    ("BCDE", "ABCDE", [], [0], 0),
    ("BCDE", "BCFDE", [], [2], 0),
    ("BCDE", "BCDEG", [], [4], 0),
    ("BCDE", "ABFCDEGH", [], [0, 2, 6, 7], 0),
    ("ABCDE", "BCADE", [], [], 1),
    ("ABCDE", "BDCAE", [], [], 2),
    ("ABCDE", "AECDB", [], [], 2),
    ("ABCDE", "BCDEA", [], [], 1),
    ("ABCDE", "EABCD", [], [], 1),
    ("ABCDEFGHIJ", "BCDEFGHIJA", [], [], 1),
    ("ABCDE", "BXCDEA", [], [1], 1),
    ("ABCDE", "BCAXDE", [], [3], 1),
    ("ABCDEF", "BDFACE", [], [], 3),
    ("ABC", "CBA", [], [], 2),
    ("ABC", "AXBYZC", [], [1, 3, 4], 0),
    ("AGDH", "CEDAFGBH", [], [0, 1, 4, 6], 1),
    ("ABCXYZ", "XYZABC", [], [], 3),
    ("ABCD", "EFGH", [0, 1, 2, 3], [0, 1, 2, 3], 0),
  ])
  func `a flat list changes by the least operations`(
    source: String, target: String, deleted: [Int], inserted: [Int], moves: Int
  ) throws {
    let delta = try Delta(fromItems: items(source), toItems: items(target))
    try Simulator.check(delta, fromItems: items(source), toItems: items(target))
    #expect(delta.changes.deletedItems.map(\.item) == deleted)
    #expect(delta.changes.insertedItems.map(\.item) == inserted)
    #expect(delta.changes.movedItems.count == moves)
  }

  /// Source, target, and the numbers of removed, added, moved and changed items.
  @Test(arguments: [
    ("x:ABC", "x:AC n:B", [0, 0, 1, 0]),
    ("x:A y:BC", "y:BCA", [0, 0, 1, 0]),
    ("x:AB y:CD z:E", "z:E y:CDA x:B", [0, 0, 1, 0]),
    ("x:AB y:C", "x:AB y:", [1, 0, 0, 0]),
    ("x: y:C", "x:A y:C", [0, 1, 0, 0]),
    ("x:ABCDE", "x:BCDE", [1, 0, 0, 0]),
    ("x:ABCD", "x:NABCD", [0, 1, 0, 0]),
    ("a:A1B5C9", "a:B6C9", [1, 0, 0, 1]),
    ("a:EBAC", "a:ABCE", [0, 0, 2, 0]),
    ("x:P y:", "y: x:", [1, 0, 0, 0]),
    ("a:JK b:LMN", "b:KLN a:JM", [0, 0, 2, 0]),
  ])
  func `a sectioned list changes by the least operations`(
    source: String, target: String, counts: [Int]
  ) throws {
    let delta = try Delta(from: list(source), to: list(target))
    try Simulator.check(delta, from: list(source), to: list(target))
    let changes = delta.changes
    #expect(changes.deletedItems.count == counts[0])
    #expect(changes.insertedItems.count == counts[1])
    #expect(changes.movedItems.count == counts[2])
    #expect(changes.reloadedItems.count == counts[3])
  }

  @Test func `a duplicate is refused with both places`() throws {
    #expect(
      throws: DuplicateIdentifier(
        kind: .item, side: .target, id: "A", first: [0, 0], second: [1, 1])
    ) { try Delta(from: list("x:A"), to: list("x:A y:BA")) }
    #expect(
      throws: DuplicateIdentifier(
        kind: .item, side: .source, id: "A", first: [0, 0], second: [0, 1])
    ) { try Delta(from: list("x:AAB"), to: list("x:ABB")) }
    #expect(
      throws: DuplicateIdentifier(kind: .section, side: .target, id: "x", first: [0], second: [2])
    ) { try Delta(from: list("x:"), to: list("x: y: x:")) }
  }
}
