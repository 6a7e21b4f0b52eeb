import DeltaEngine
import ListTestSupport
import Testing

/// One delta for each rule of UIKit's batch updates and each law: the simulator must refuse it.
@Suite struct RejectionTests {
  /// What is refused, the lists, the steps, and the law that is broken.
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var source: String
    var target: String
    var law: Int
    var steps: [DeltaStep]
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row("deleting a section that is not there", "x:A", "", 1, [.deleteSections([1], counts: [1])]),
    Row("deleting an item that is not there", "x:A", "x:", 1, [.delete([(0, 1)], counts: [1])]),
    Row(
      "deleting in a section that is not there", "x:A", "x:", 1, [.delete([(1, 0)], counts: [1])]),
    Row("deleting one item twice", "x:AB", "x:B", 1, [.delete([(0, 0), (0, 0)], counts: [1])]),
    Row("deletes that do not ascend", "x:AB", "x:", 1, [.delete([(0, 1), (0, 0)], counts: [0])]),
    Row("inserting past the end", "x:A", "x:AB", 1, [.insert([(0, 2, 0, 1)], counts: [2])]),
    Row(
      "inserting into a section that is not there", "x:A", "x:AB", 1,
      [.insert([(1, 0, 0, 1)], counts: [2])]),
    Row(
      "inserting at one place twice", "x:", "x:AB", 1,
      [.insert([(0, 0, 0, 0), (0, 0, 0, 1)], counts: [2])]),
    Row(
      "moving from one place twice", "x:ABC", "x:BCA", 1,
      [.move([(0, 0, 0, 1), (0, 0, 0, 2)], counts: [3])]),
    Row(
      "moving to one place twice", "x:ABC", "x:BCA", 1,
      [.move([(0, 0, 0, 2), (0, 1, 0, 2)], counts: [3])]),
    Row("moving past the end", "x:AB", "x:BA", 1, [.move([(0, 0, 0, 2)], counts: [2])]),
    Row("a move without effect", "x:AB", "x:AB", 1, [.move([(0, 1, 0, 1)], counts: [2])]),
    Row("a section move without effect", "x: y:", "x: y:", 1, [.moveSections([(1, 1)], [0, 0])]),
    Row(
      "deleting and reloading one item", "x:A", "x:", 1,
      [
        .delete([(0, 0)], counts: [0]).with {
          $0.reload.items = [
            .init(at: .init(section: 0, item: 0), target: .init(section: 0, item: 0))
          ]
        }
      ]),
    Row(
      "deleting and moving one item", "x:AB", "x:B", 1,
      [
        .delete([(0, 0)], counts: [1]).with {
          $0.move.items = [.init(from: .init(section: 0, item: 0), to: .init(section: 0, item: 0))]
        }
      ]),
    Row(
      "inserting and moving to one place", "x:AB", "x:CBA", 1,
      [
        .insert([(0, 0, 0, 0)], counts: [3]).with {
          $0.move.items = [.init(from: .init(section: 0, item: 1), to: .init(section: 0, item: 0))]
        }
      ]),
    Row(
      "reloading an item that is not there", "x:A", "x:A1", 1,
      [.reload([(0, 1, 0, 0)], counts: [1])]),
    Row(
      "reloading one item twice", "x:A", "x:A1", 1,
      [.reload([(0, 0, 0, 0), (0, 0, 0, 0)], counts: [1])]),
    Row(
      "moving and reloading one item", "x:AB", "x:BA1", 1,
      [
        .move([(0, 0, 0, 1)], counts: [2]).with {
          $0.reload.items = [
            .init(at: .init(section: 0, item: 0), target: .init(section: 0, item: 1))
          ]
        }
      ]),
    Row(
      "moving from a section that is not there", "x:AB", "x:BA", 1,
      [.move([(1, 0, 0, 1)], counts: [2])]),
    Row("moving a section past the end", "x: y:", "y: x:", 1, [.moveSections([(0, 2)], [0, 0])]),
    Row(
      "moving a section that is not there", "x: y:", "y: x:", 1, [.moveSections([(2, 0)], [0, 0])]),
    Row(
      "moving two sections to one place", "x: y: z:", "z: x: y:", 1,
      [.moveSections([(0, 1), (1, 1)], [0, 0, 0])]),
    Row(
      "inserting a section past the end", "x:", "x: y:", 1,
      [.insertSections([(2, 1, [])], counts: [0, 0])]),
    Row(
      "inserting and moving a section to one place", "x: y:", "n: y: x:", 1,
      [
        .insertSections([(0, 0, [])], counts: [0, 0, 0]).with {
          $0.move.sections = [.init(from: .init(1), to: .init(0))]
        }
      ]),
    Row(
      "reloading a section that is not there", "x:", "x1:", 1,
      [.empty([0]).with { $0.reload.sections = [.init(at: .init(1), target: .init(0))] }]),
    Row(
      "deleting and reloading one section", "x: y:", "y:", 1,
      [
        .deleteSections([0], counts: [0]).with {
          $0.reload.sections = [.init(at: .init(0), target: .init(0))]
        }
      ]),
    Row(
      "deleting and moving one section", "x: y:", "y:", 1,
      [
        .deleteSections([0], counts: [0]).with {
          $0.move.sections = [.init(from: .init(0), to: .init(0))]
        }
      ]),
    Row(
      "a reload beside a move", "x:ABC", "x:BA1C", 2,
      [
        .move([(0, 0, 0, 1)], counts: [3]).with {
          $0.reload.items = [
            .init(at: .init(section: 0, item: 2), target: .init(section: 0, item: 2))
          ]
        }
      ]),
    Row(
      "a reload beside a section insert", "x:A", "y: x:A1", 2,
      [
        .insertSections([(0, 0, [])], counts: [0, 1]).with {
          $0.reload.items = [
            .init(at: .init(section: 0, item: 0), target: .init(section: 1, item: 0))
          ]
        }
      ]),
    Row(
      "an item operation in a reloaded section", "x:AB", "x1:B", 2,
      [
        .delete([(0, 0)], counts: [1]).with {
          $0.reload.sections = [.init(at: .init(0), target: .init(0))]
        }
      ]),
    Row(
      "deleting an item of a deleted section", "x:A", "", 3,
      [.deleteSections([0], counts: []).with { $0.delete.items = [.init(section: 0, item: 0)] }]),
    Row(
      "moving an item out of a deleted section", "x:A y:B", "y:BA", 3,
      [
        .deleteSections([0], counts: [2]).with {
          $0.move.items = [.init(from: .init(section: 0, item: 0), to: .init(section: 0, item: 1))]
        }
      ]),
    Row(
      "inserting an item into an inserted section", "", "x:A", 3,
      [
        .insertSections([(0, 0, [])], counts: [1]).with {
          $0.insert.items = [
            .init(at: .init(section: 0, item: 0), target: .init(section: 0, item: 0))
          ]
        }
      ]),
    Row(
      "moving an item into an inserted section", "x:AB", "x:A y:B", 3,
      [
        .insertSections([(1, 1, [])], counts: [1, 1]).with {
          $0.move.items = [.init(from: .init(section: 0, item: 1), to: .init(section: 1, item: 0))]
        }
      ]),
    Row(
      "an item operation beside a section move", "x:A y:B", "y:B x:", 3,
      [.moveSections([(0, 1)], [1, 0]).with { $0.delete.items = [.init(section: 0, item: 0)] }]),
    Row("wrong counts", "x:AB", "x:B", 4, [.delete([(0, 0)], counts: [2])]),
    Row("too few counts", "x:A y:", "x: y:", 4, [.delete([(0, 0)], counts: [0])]),
    Row("stopping short of the target", "x:AB", "x:", 5, [.delete([(0, 0)], counts: [1])]),
    Row(
      "inserting the wrong item", "x:A", "x:ABC", 5,
      [.insert([(0, 1, 0, 2), (0, 2, 0, 1)], counts: [3])]),
    Row(
      "a changed item that is not reloaded", "x:AB", "x:BA1", 5,
      [.move([(0, 0, 0, 1)], counts: [2])]),
    Row(
      "reloading an item that did not change", "x:A", "x:A", 5,
      [.reload([(0, 0, 0, 0)], counts: [1])]),
    Row(
      "reloading with another's content", "x:AB", "x:A1B1", 5,
      [.reload([(0, 0, 0, 1), (0, 1, 0, 0)], counts: [2])]),
    Row("a header that is not reloaded", "x:AB", "x1:B", 5, [.delete([(0, 0)], counts: [1])]),
    Row(
      "deleting and inserting a survivor", "x:AB", "x:BA", 6,
      [
        .delete([(0, 0)], counts: [2]).with {
          $0.insert.items = [
            .init(at: .init(section: 0, item: 1), target: .init(section: 0, item: 1))
          ]
        }
      ]),
    Row(
      "deleting and inserting a section that survives", "x: y:", "y: x:", 6,
      [
        .deleteSections([0], counts: [0, 0]).with {
          $0.insert.sections = [.init(at: .init(1), target: .init(1), items: [])]
        }
      ]),
    Row(
      "more moves than needed", "x:ABC", "x:BCA", 7,
      [.move([(0, 1, 0, 0), (0, 2, 0, 1)], counts: [3])]),
    Row(
      "more section moves than needed", "x: y: z:", "y: z: x:", 7,
      [.moveSections([(1, 0), (2, 1)], [0, 0, 0])]),
    Row(
      "moving an item twice", "x:AB y:", "x:B y:A", 7,
      [.move([(0, 0, 0, 1)], counts: [2, 0]), .move([(0, 1, 1, 0)], counts: [1, 1])]),
    Row(
      "a step too many", "x:ABC", "x:C", 8,
      [.delete([(0, 0)], counts: [2]), .delete([(0, 0)], counts: [1])]),
    Row("an empty step", "x:AB", "x:B", 8, [.delete([(0, 0)], counts: [1]), .empty([1])]),
    Row(
      "a reload apart that could join", "x:AB", "x:B1", 8,
      [.delete([(0, 0)], counts: [1]), .reload([(0, 0, 0, 0)], counts: [1])]),
    Row(
      "an inserted section with an item that is not there", "", "x:A", 10,
      [.insertSections([(0, 0, [1])], counts: [1])]),
    Row(
      "an inserted section with its items out of order", "", "x:AB", 10,
      [.insertSections([(0, 0, [1, 0])], counts: [2])]),
  ]

  @Test(arguments: rows)
  func `the simulator refuses`(row: Row) throws {
    let delta = Delta(
      changes: DeltaChanges(), steps: row.steps, sourceItemCounts: [], targetItemCounts: [])
    let violation = #expect(throws: LawViolation.self) {
      try Simulator.check(delta, from: list(row.source), to: list(row.target))
    }
    #expect(violation?.law == row.law, "\(String(describing: violation))")
  }
}

extension RejectionTests.Row {
  init(_ name: String, _ source: String, _ target: String, _ law: Int, _ steps: [DeltaStep]) {
    self.init(name: name, source: source, target: target, law: law, steps: steps)
  }
}
