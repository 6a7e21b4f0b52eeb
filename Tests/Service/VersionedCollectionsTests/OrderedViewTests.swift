import SnapshotJSON
import TestSupport
import Testing

@testable import VersionedCollections

/// Views with an order of their own, of lists in which few items change.
@Suite struct OrderedViewTests {
  @Test(arguments: 1...(UInt64(rounds(100))))
  func `an order is moved on as if it were sorted anew`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bench = ViewBench()
    var made = 0
    func item(_ id: Int) -> String {
      #"{"id":"i\#(id)","n":\#(Int.random(in: 0..<12, using: &generator))}"#
    }
    func new() -> (id: Int, text: String) {
      made += 1
      return (made, item(made))
    }
    var lists = (0..<2).map { _ in (0..<40).map { _ in new() } }
    let query = try ViewQuery([
      (name: "where", value: "/n:lt:9"), (name: "order", value: "/n:desc:number"),
      (name: "sections", value: seed % 3 == 0 ? "flat" : "keep"),
    ])
    let view = CompiledView(query.view, bench.settings)
    var last: (version: ViewableVersion, members: ViewMembers)?
    for _ in 0..<10 {
      let texts = zip(["a", "b"], lists).map { (id: $0, items: $1.map(\.text)) }
      let version = try bench.version(texts)
      let members = try #require(try view.members(of: version, bench.reader))
      if let last {
        let changes = ViewChanges(from: last.version, to: version)
        let moved = try view.members(last.members, changedBy: changes, to: version, bench.reader)
        #expect(moved == members, "seed \(seed)")
      }
      last = (version, members)
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let list = Int.random(in: 0...1, using: &generator)
        let place = lists[list].indices.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0...6, using: &generator) {
        case 0: lists[list].insert(new(), at: place)
        case 1: lists[list].remove(at: place)
        case 2: lists[1 - list].insert(lists[list].remove(at: place), at: 0)
        default: lists[list][place].text = item(lists[list][place].id)
        }
      }
    }
  }
}
