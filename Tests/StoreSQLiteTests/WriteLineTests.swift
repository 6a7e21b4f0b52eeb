import Testing

@testable import StoreSQLite

@Suite struct WriteLineTests {
  private func job(_ byteCount: Int) -> GroupWriter.Job {
    GroupWriter.Job(work: { _ in nil }, completion: { _ in }, byteCount: byteCount)
  }

  private let large = WriteLine.smallBytesMax + 1

  @Test func `small writes go together, large ones one at a time between them`() {
    var line = WriteLine()
    for count in [1, large, 2, large + 1, large + 2, WriteLine.smallBytesMax] {
      line.append(job(count))
    }
    func next() -> [Int]? { line.next()?.map(\.byteCount) }
    #expect(next() == [large])
    #expect(next() == [1, 2, WriteLine.smallBytesMax])
    #expect(next() == [large + 1])
    line.append(job(3))
    #expect(next() == [3])
    #expect(next() == [large + 2])
    #expect(next() == nil)
    line.append(job(4))
    #expect(next() == [4])
    #expect(next() == nil)
  }
}
