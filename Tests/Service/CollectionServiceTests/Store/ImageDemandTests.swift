import TestSupport
import Testing
import VersionedCollections

@Suite struct ImageDemandTests {
  private static func demand(queuedMax: Int = 9, countedMax: Int = 9) -> ImageDemand {
    var options = DurableStoreOptions()
    (options.changesMax, options.changeBytesMin) = (16, 100)
    return ImageDemand(options, queuedMax: queuedMax, countedMax: countedMax)
  }

  private static func key(_ number: Int) -> CollectionKey {
    CollectionKey(client: name("u"), name: name("c\(number)"))
  }

  @Test func `somebody looks at every fourth of the versions that may follow an image`() {
    var demand = Self.demand()
    var looks: [Int] = []
    for seq in 1...12 where demand.note(Self.key(1), seq: seq, byteCount: 1) {
      looks.append(seq)
      demand.end(Self.key(1), isRenewed: true)
    }
    #expect(looks == [4, 8, 12])
  }

  @Test func `somebody looks at changes that are as large as an image is worth`() {
    var demand = Self.demand()
    func note(_ number: Int, seq: Int, _ byteCount: Int) -> Bool {
      demand.note(Self.key(number), seq: seq, byteCount: byteCount)
    }
    #expect(!note(1, seq: 1, 60))
    #expect(!note(2, seq: 1, 60))
    #expect(note(1, seq: 2, 60))
    // Somebody is about to look.
    #expect(!note(1, seq: 3, 600))
    demand.end(Self.key(1), isRenewed: true)
    #expect(!note(1, seq: 5, 60))
  }

  @Test func `an image that could not be renewed waits for a version, however large changes are`() {
    var demand = Self.demand()
    func looks(at seqs: ClosedRange<Int>) -> [Int] {
      seqs.filter { demand.note(Self.key(1), seq: $0, byteCount: 600) }
    }
    #expect(looks(at: 1...1) == [1])
    demand.end(Self.key(1), isRenewed: false)
    #expect(looks(at: 2...8) == [4])
  }

  @Test func `collections are looked at however many there are, few at a time`() {
    var demand = Self.demand(queuedMax: 3, countedMax: 10)
    var looked = Set<Int>()
    for seq in 1...400 {
      for number in 0..<40 where demand.note(Self.key(number), seq: seq + number, byteCount: 1) {
        looked.insert(number)
        demand.end(Self.key(number), isRenewed: true)
      }
    }
    #expect(looked.count == 40)
    let waiting = (0..<40).filter { demand.note(Self.key($0), seq: 4, byteCount: 1) }
    #expect(waiting == [0, 1, 2])
  }
}
