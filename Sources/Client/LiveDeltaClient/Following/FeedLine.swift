/// Those who wait for a feed: for a turn to run, or for an answer.
struct FeedLine {
  typealias Answer = Result<[String: ReplicaChange], ClientError>
  typealias Continuation = CheckedContinuation<Answer, Never>

  private struct Waiter {
    var number: Int
    var isRun: Bool
    var continuation: Continuation
  }

  private var waiters: [Waiter] = []
  private var lastNumber = 0
  /// Whether somebody has the turn.
  var isOwned = false
  /// Whether an answer for those who asked is under way.
  var isAnswering = false

  /// Whether somebody waits for an answer.
  var hasPolls: Bool { waiters.contains { !$0.isRun } }

  var polls: [Int] { waiters.filter { !$0.isRun }.map(\.number) }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func join(_ number: Int, isRun: Bool, _ continuation: Continuation) {
    waiters.append(Waiter(number: number, isRun: isRun, continuation: continuation))
  }

  /// Ends the waiting of these, where they still wait.
  mutating func end(_ numbers: [Int], with answer: Answer) {
    let ended = waiters.filter { numbers.contains($0.number) }
    waiters.removeAll { numbers.contains($0.number) }
    for waiter in ended { waiter.continuation.resume(returning: answer) }
  }

  /// Gives the turn to the first who waits to run; returns whether there is one.
  mutating func beginRun() -> Bool {
    guard let run = waiters.first(where: \.isRun) else { return false }
    isOwned = true
    end([run.number], with: .success([:]))
    return true
  }
}
