/// Answers that are to be made, first come, first served.
///
/// What they are made from stays in memory meanwhile, so their bytes are limited.
struct AnswerLine {
  private static let byteCountMax = 16 << 20

  private var waiting: [(answer: (ReadWork, Duration?), byteCount: Int)] = []
  private var first = 0
  private var byteCount = 0

  var count: Int { waiting.count - first }
  var isEmpty: Bool { first == waiting.count }

  /// Takes an answer into the line; false if there is no room.
  mutating func append(_ answer: (ReadWork, Duration?), _ byteCount: Int) -> Bool {
    guard self.byteCount + byteCount <= Self.byteCountMax else { return false }
    self.byteCount += byteCount
    waiting.append((answer, byteCount))
    return true
  }

  mutating func removeFirst() -> (ReadWork, Duration?)? {
    guard !isEmpty else { return nil }
    let (answer, byteCount) = waiting[first]
    self.byteCount -= byteCount
    first += 1
    // It may never be empty.
    if first > waiting.count / 2 {
      waiting.removeFirst(first)
      first = 0
    }
    return answer
  }
}
