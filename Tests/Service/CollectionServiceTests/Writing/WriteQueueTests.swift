import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// In which order writes of one client begin.
@Suite struct WriteQueueTests {
  @Test func `a write waits for those before it that have a collection in common with it`() {
    var line = WriteQueue<String>()
    for names in ["a", "b", "ab", "b", "c"] { line.append(names, names: Self.names(names)) }
    let first = line.begin()
    let second = line.begin()
    let third = line.begin()
    #expect([first?.write, second?.write, third?.write] == ["a", "b", "c"])
    #expect(line.begin() == nil)
    #expect(line.namesUnderWay == Set(Self.names("abc")))
    line.finish(second?.number ?? -1)
    #expect(line.begin() == nil)
    line.finish(first?.number ?? -1)
    let both = line.begin()
    #expect(both?.write == "ab")
    #expect(line.begin() == nil)
    line.finish(both?.number ?? -1)
    #expect(line.begin()?.write == "b")
  }

  @Test func `a write of the whole client waits for all before it, and all after it wait`() {
    var line = WriteQueue<String>()
    line.append("a", names: Self.names("a"))
    line.append("all", names: nil)
    line.append("b", names: Self.names("b"))
    line.append("all again", names: nil)
    for expected in ["a", "all", "b", "all again"] {
      let next = line.begin()
      #expect(next?.write == expected)
      #expect(line.begin() == nil)
      line.finish(next?.number ?? -1)
    }
    #expect(line.isEmpty)
  }

  @Test func `a write of nothing is ready at once`() {
    var line = WriteQueue<Int>()
    line.append(1, names: Self.names("a"))
    line.append(2, names: [])
    #expect(line.begin()?.write == 1)
    #expect(line.begin()?.write == 2)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `random writes begin as a list that is searched from the front says`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var line = WriteQueue<Int>()
    // The slow oracle: all writes in order, and which of them have begun.
    var writes: [(id: Int, names: String?, number: Int?)] = []
    for id in 0..<200 {
      if Bool.random(using: &generator) {
        let names = Self.randomNames(&generator)
        writes.append((id, names, nil))
        line.append(id, names: names.map(Self.names))
      } else if let index = writes.indices.filter({ writes[$0].number != nil })
        .randomElement(using: &generator)
      {
        line.finish(writes.remove(at: index).number ?? -1)
      }
      var begun: Set<Int> = []
      while let (write, number) = line.begin() {
        begun.insert(write)
        if let index = writes.firstIndex(where: { $0.id == write }) {
          writes[index].number = number
        }
      }
      let ready = writes.indices.filter { index in
        writes[..<index].allSatisfy { !Self.conflict($0.names, writes[index].names) }
      }.map { writes[$0].id }
      #expect(Set(ready) == Set(writes.filter { $0.number != nil }.map(\.id)), "seed \(seed)")
      #expect(begun.isSubset(of: Set(ready)), "seed \(seed)")
      let underWay = writes.filter { $0.number != nil }.flatMap { Self.names($0.names ?? "") }
      #expect(line.namesUnderWay == Set(underWay), "seed \(seed)")
      #expect(line.isEmpty == writes.isEmpty)
    }
  }

  private static func names(_ letters: String) -> [ResourceName] {
    letters.map { name(String($0)) }
  }

  private static func randomNames(_ generator: inout SeededGenerator) -> String? {
    if Int.random(in: 0..<12, using: &generator) == 0 { return nil }
    return String("abcd".filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
  }

  private static func conflict(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return true }
    return one.contains { other.contains($0) }
  }
}
