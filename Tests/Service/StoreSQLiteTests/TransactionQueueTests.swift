import Testing

@testable import StoreSQLite

@Suite struct TransactionQueueTests {
  private func job(_ byteCount: Int) -> WriteJob {
    WriteJob(work: { _ in nil }, completion: { _ in }, byteCount: byteCount)
  }

  private let large = WriteJob.smallBytesMax + 1

  @Test func `small writes go together, large ones one at a time between them`() {
    var line = TransactionQueue()
    for count in [1, large, 2, large + 1, large + 2, WriteJob.smallBytesMax] {
      line.append(job(count))
    }
    func next() -> [Int]? { line.next()?.map(\.byteCount) }
    #expect(next() == [large])
    #expect(next() == [1, 2, WriteJob.smallBytesMax])
    #expect(next() == [large + 1])
    line.append(job(3))
    #expect(next() == [3])
    #expect(next() == [large + 2])
    #expect(next() == nil)
    line.append(job(4))
    #expect(next() == [4])
    #expect(next() == nil)
  }

  @Test func `a large write is finished before the next begins, small ones go between its parts`() {
    var line = TransactionQueue()
    var first = job(1)
    first.parts = [{ _ in }, { _ in }]
    line.append(first)
    line.append(job(large))
    var order: [Int] = []
    while var job = line.next()?.first {
      order.append(job.parts.count * 1000 + job.byteCount)
      if !job.isLarge, order.count < 9 { line.append(self.job(7)) }
      if job.parts.isEmpty { continue }
      job.parts.removeLast()
      line.resume(job)
      if order.count < 9 { line.append(self.job(7)) }
    }
    #expect(order.prefix(6) == [2001, 7, 1001, 7, 1, 7])
    #expect(order.contains(large))
  }

  @Test func `what goes first goes before all others and alone, also between the parts of a write`()
  {
    var line = TransactionQueue()
    var parts = job(large)
    parts.parts = [{ _ in }]
    line.append(parts)
    #expect(line.next()?.count == 1)
    line.append(job(1))
    line.append(job(large + 1))
    var first = job(0)
    first.isFirst = true
    line.append(first)
    parts.parts = []
    line.resume(parts)
    #expect(line.count == 4)
    var order: [[Int]] = []
    while let group = line.next() { order.append(group.map(\.byteCount)) }
    #expect(order == [[0], [1], [large], [large + 1]])
  }

  @Test func `images and large writes take turns`() {
    var line = TransactionQueue()
    for count in 1...3 {
      line.append(job(large + count))
      var image = job(large + 10 * count)
      image.isImage = true
      line.append(image)
    }
    func next() -> Int? { line.next()?.first.map { $0.byteCount - large } }
    #expect((0..<7).map { _ in next() } == [10, 1, 20, 2, 30, 3, nil])
  }
}
