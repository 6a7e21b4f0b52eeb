import DequeModule

/// Answers that are to be made, first come, first served.
///
/// What they are made from stays in memory meanwhile, so their bytes are limited.
struct AnswerLine {
  private static let byteCountMax = 16 << 20

  private var waiting = Deque<(answer: (ReadWork, Wake?), byteCount: Int)>()
  private var byteCount = 0

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes an answer into the line; false if there is no room.
  mutating func append(_ answer: (ReadWork, Wake?), _ byteCount: Int) -> Bool {
    guard self.byteCount + byteCount <= Self.byteCountMax else { return false }
    self.byteCount += byteCount
    waiting.append((answer, byteCount))
    return true
  }

  mutating func removeFirst() -> (ReadWork, Wake?)? {
    guard let (answer, byteCount) = waiting.popFirst() else { return nil }
    self.byteCount -= byteCount
    return answer
  }
}
