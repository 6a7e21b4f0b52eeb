import SnapshotJSON
import TestSupport
import Testing

struct MergePatchDifferenceTests {
  /// Source, target, patch; nil where there is none.
  static let rows: [(String, String, String?)] = [
    (#"{"id":1,"a":1}"#, #"{"id":1,"a":2}"#, #"{"a":2}"#),
    (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"{"a":null}"#), (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#),
    (#"{"a":1,"b":[1,2]}"#, #"{"b" : [1, 2],"\u0061":1}"#, "{}"),
    (#"{"a":[1,{"b":null}]}"#, #"{"a":[2,{"b":null}]}"#, #"{"a":[2,{"b":null}]}"#),
    (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"b":2}}"#, #"{"a":{"b":2,"c":null}}"#),
    (#"{"a":null,"b":1}"#, #"{"a":null,"b":2}"#, #"{"b":2}"#),
    (#"{"a":{"b":null},"c":1}"#, #"{"a":{"b":null},"c":2}"#, #"{"c":2}"#),
    (#"{"a":1}"#, #"{"a":null}"#, nil), (#"{"a":1}"#, #"{"a":1,"b":null}"#, nil),
    (#"{"a":1}"#, #"{"a":{"b":{"c":null}}}"#, nil), (#"{"a":{}}"#, #"{"a":{"b":null}}"#, nil),
    (#"{"a":1,"a":2}"#, #"{"a":2}"#, nil), (#"{"a":1}"#, #"{"a":2,"a":2}"#, nil),
    (#"{"a":1}"#, #"{"a":{"b":1,"b":2}}"#, nil), ("[]", "{}", nil), ("{}", "[]", nil),
    (#"{"~patch":{"a":1}}"#, #"{"~patch":{"a":2}}"#, #"{"~patch":{"a":2}}"#),
    (#"{"a":{}}"#, #"{"a":[]}"#, #"{"a":[]}"#), (#"{"a":[]}"#, #"{"a":{}}"#, #"{"a":{}}"#),
    ("{\"é\":1}", "{\"e\u{301}\":1}", "{\"e\u{301}\":1,\"é\":null}"),
  ]

  @Test(arguments: rows.indices)
  func `what differs is in the patch, and what cannot be said has none`(row: Int) throws {
    let (source, target, patch) = Self.rows[row]
    let made = JSONMergePatch.difference(from: try parse(source), to: try parse(target))
    #expect(made.map { String(decoding: $0, as: UTF8.self) } == patch)
  }

  @Test func `a patch gives the target, by our and by another implementation`() throws {
    var generator = SeededGenerator(seed: 7396)
    var count = 0
    for round in 0..<20_000 {
      let old = JSONTree.random(depth: 4, using: &generator)
      var new = old
      for _ in 0..<Int.random(in: 0..<4, using: &generator) { new = new.changed(using: &generator) }
      let source = try parse(old.spelled(using: &generator))
      let target = try parse(new.spelled(using: &generator))
      guard let patch = JSONMergePatch.difference(from: source, to: target) else { continue }
      count += 1
      #expect(old.merging(JSONTree(patch)) == new, "round \(round): \(old) to \(new)")
      let change = try JSONReader().read(patch).root
      let result = try JSONReader().read(JSONMergePatch.apply(change, to: source)).root
      #expect(result.contentHash() == target.contentHash(), "round \(round): \(old) to \(new)")
    }
    #expect(count > 3_000)
  }

  /// Only nulls that are new stand in the way: random trees have no name twice.
  @Test func `objects without null have a patch`() throws {
    var generator = SeededGenerator(seed: 86)
    func withoutNull(_ tree: JSONTree) -> JSONTree {
      switch tree {
      case .plain("null"): .plain("0")
      case .array(let elements): .array(elements.map(withoutNull))
      case .object(let members):
        .object(JSONMembers(members.pairs.map { ($0.key, withoutNull($0.value)) }))
      default: tree
      }
    }
    for _ in 0..<2_000 {
      let trees = (0..<2).map { _ in
        withoutNull(JSONTree.random(depth: 4, using: &generator)).with("id", .plain("1"))
      }
      let patch = JSONMergePatch.difference(
        from: try parse("\(trees[0])"), to: try parse("\(trees[1])"))
      let made = try #require(patch, "\(trees)")
      #expect(trees[0].merging(JSONTree(made)) == trees[1])
    }
  }
}
