import DequeModule
import VersionedCollections

/// Answers that are to be made, first come, first served.
///
/// What they are made from stays in memory meanwhile, so their bytes are limited.
struct AnswerLine {
  typealias Receiver = @Sendable (Result<SyncAnswer, ServiceFailure>) -> Void

  private static let byteCountMax = 16 << 20

  private var waiting = Deque<(work: PollWork, byteCount: Int, give: Receiver)>()
  private var byteCount = 0

  var count: Int { waiting.count }
  var isEmpty: Bool { waiting.isEmpty }

  /// Takes an answer into the line; false if there is no room.
  mutating func append(_ work: PollWork, _ byteCount: Int, _ give: @escaping Receiver) -> Bool {
    guard self.byteCount + byteCount <= Self.byteCountMax else { return false }
    self.byteCount += byteCount
    waiting.append((work, byteCount, give))
    return true
  }

  mutating func removeFirst() -> (PollWork, Receiver)? {
    guard let (work, byteCount, give) = waiting.popFirst() else { return nil }
    self.byteCount -= byteCount
    return (work, give)
  }
}
