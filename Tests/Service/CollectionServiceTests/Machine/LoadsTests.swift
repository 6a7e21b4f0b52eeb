import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct LoadsTests {
  private let parts: [StoredPart] = [
    .summaries, .collection(name("a"), unlessAt: nil), .collection(name("b"), unlessAt: nil),
    .records(nil), .records(name("a")),
  ]

  /// Begins a load, and has it wait for parts; returns its number and the parts to read.
  private func add(_ parts: [StoredPart], to loads: inout Loads) -> (
    number: Int, parts: [StoredPart]
  ) {
    let load = Loads.Load(Requirements(), for: .reader(0), .contents, demand: nil)
    let number = loads.begin(load)
    return (number, loads.wait(number, for: parts))
  }

  /// Records that a part was read, and ends the loads that wait for no other.
  private func finish(
    _ part: StoredPart, _ error: StoreError? = nil, in loads: inout Loads
  ) -> [(number: Int, failure: PartFailure?)] {
    let finished = loads.finish(part, error)
    for load in finished { loads.end(load.number) }
    return finished
  }

  @Test func `who wants several parts waits for all, and hears of the first failure`() {
    var loads = Loads()
    let one = add([parts[0], parts[1]], to: &loads)
    #expect(one.parts == [parts[0], parts[1]])
    let two = add([parts[1], parts[3]], to: &loads)
    #expect(two.parts == [parts[3]])
    #expect(finish(parts[0], in: &loads).isEmpty)
    let finished = finish(parts[1], .damaged("x"), in: &loads)
    #expect(finished.map(\.number) == [one.number])
    #expect(finished.first?.failure?.part == parts[1])
    let last = finish(parts[3], .conflict, in: &loads)
    #expect(last.map(\.number) == [two.number])
    #expect(last.first?.failure?.part == parts[1])
    #expect(loads.isEmpty)
    // A part that was read is read again for those who come later.
    #expect(add([parts[1]], to: &loads).parts == [parts[1]])
  }

  @Test func `a collection is read once for readers with different versions`() {
    let version = VersionToken(lineage: "l", seq: 1, digest: "0123456789abcdef")
    let part = StoredPart.collection(name("a"), unlessAt: version)
    var loads = Loads()
    let first = add([part], to: &loads)
    #expect(first.parts == [part])
    let second = add([parts[1]], to: &loads)
    #expect(second.parts.isEmpty)
    #expect(finish(part, in: &loads).map(\.number) == [first.number, second.number])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `random loads end once each, when their last part is there`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var loads = Loads()
    var wanted: [Int: Set<StoredPart>] = [:]
    var pending: Set<StoredPart> = []
    for _ in 0..<500 {
      if Bool.random(using: &generator) {
        let mine = parts.filter { _ in Bool.random(using: &generator) }
        if mine.isEmpty { continue }
        let expected = mine.filter { !pending.contains($0) }
        let (number, asked) = add(mine, to: &loads)
        #expect(asked == expected)
        wanted[number] = Set(mine)
        pending.formUnion(mine)
      } else if let part = parts.filter(pending.contains).randomElement(using: &generator) {
        pending.remove(part)
        let ended = wanted.keys.filter { wanted[$0] == [part] }
        for number in wanted.keys { wanted[number]?.remove(part) }
        for number in ended { wanted[number] = nil }
        #expect(finish(part, in: &loads).map(\.number) == ended.sorted())
      }
      loads.checkInvariants()
      #expect(loads.isEmpty == wanted.isEmpty)
    }
  }
}
