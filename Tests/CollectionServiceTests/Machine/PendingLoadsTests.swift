import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct PendingLoadsTests {
  private let parts: [StoredPart] = [
    .summaries, .collection(name("a"), unlessAt: nil), .collection(name("b"), unlessAt: nil),
    .records(nil), .records(name("a")),
  ]

  @Test func `who wants several parts waits for all, and hears of the first failure`() {
    var loads = PendingLoads<String>()
    let one = loads.add([parts[0], parts[1]], "one")
    #expect(one == [parts[0], parts[1]])
    let two = loads.add([parts[1], parts[3]], "two")
    #expect(two == [parts[3]])
    let none = loads.finish(parts[0], nil)
    #expect(none.isEmpty)
    let finished = loads.finish(parts[1], .damaged("x"))
    #expect(finished.map(\.completion) == ["one"])
    #expect(finished.first?.failure?.part == parts[1])
    let last = loads.finish(parts[3], .conflict)
    #expect(last.map(\.completion) == ["two"])
    #expect(last.first?.failure?.part == parts[1])
    #expect(loads.isEmpty)
    // A part that was read is read again for those who come later.
    let three = loads.add([parts[1]], "three")
    #expect(three == [parts[1]])
  }

  @Test func `a collection is read once for readers with different versions`() {
    let version = VersionToken(lineage: "l", seq: 1, digest: "0123456789abcdef")
    let part = StoredPart.collection(name("a"), unlessAt: version)
    var loads = PendingLoads<Int>()
    let first = loads.add([part], 1)
    #expect(first == [part])
    let second = loads.add([parts[1]], 2)
    #expect(second.isEmpty)
    let finished = loads.finish(part, nil)
    #expect(finished.map(\.completion) == [1, 2])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `random loads end once each, when their last part is there`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var loads = PendingLoads<Int>()
    var wanted: [Int: Set<StoredPart>] = [:]
    var pending: Set<StoredPart> = []
    for number in 0..<500 {
      if Bool.random(using: &generator) {
        let mine = parts.filter { _ in Bool.random(using: &generator) }
        if mine.isEmpty { continue }
        let expected = mine.filter { !pending.contains($0) }
        let asked = loads.add(mine, number)
        #expect(asked == expected)
        wanted[number] = Set(mine)
        pending.formUnion(mine)
      } else if let part = parts.filter(pending.contains).randomElement(using: &generator) {
        pending.remove(part)
        let ended = wanted.keys.filter { wanted[$0] == [part] }
        for number in wanted.keys { wanted[number]?.remove(part) }
        for number in ended { wanted[number] = nil }
        let finished = loads.finish(part, nil)
        #expect(finished.map(\.completion) == ended.sorted())
      }
      loads.checkInvariants()
      #expect(loads.isEmpty == wanted.isEmpty)
    }
  }
}
