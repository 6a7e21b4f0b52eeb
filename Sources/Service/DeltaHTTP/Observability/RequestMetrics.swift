import CollectionService
import Synchronization
import VersionedCollections

/// How many requests there were of each kind, how long they took apart from waiting, and how many
/// bytes they moved.
final class RequestMetrics: Sendable {
  /// What was noted of the responses of one kind with statuses of one class.
  struct Row {
    let kind: RequestKind
    /// The first digit of the statuses.
    let statusClass: Int
    let latency: Histogram.Counts
    /// The number of responses by status, ascending.
    let statuses: [(status: Int, count: Int)]
  }

  // The numbers of a kind and class lie side by side: the buckets, the microseconds, a count for
  // each status. Then come the marks, and the sums over all requests.
  private static let bucketCount = Histogram.bucketEnds.count + 1
  private static let width = bucketCount + 1 + 100
  private static let classes = 2...5
  private static let marksPlace = width * classes.count * RequestKind.allCases.count
  private static let repeatedPlace = marksPlace + AnswerMark.count
  private static let receivedPlace = repeatedPlace + 1
  private static let sentPlace = receivedPlace + 1

  /// Streams of events that are open.
  let streams = Atomic(0)
  private let numbers = Mutex([Int](repeating: 0, count: sentPlace + 1))
  private let waits = Mutex<[RequestKind: Histogram.Counts]>([:])

  /// Counts a response, which took the time without waiting; a repeated one came from an event loop's cache.
  func count(_ answered: AnsweredRequest, microseconds: Int, isRepeated: Bool = false) {
    let status = min(max(answered.status, 200), 599)
    let index = Int(answered.subject.kind.rawValue) * Self.classes.count + status / 100 - 2
    let row = index * Self.width
    let bucket = row + Histogram.bucket(of: microseconds)
    let place = row + Self.bucketCount
    numbers.withLock { numbers in
      numbers[bucket] += 1
      numbers[place] += microseconds
      numbers[place + 1 + status % 100] += 1
      numbers[Self.marksPlace + Int(answered.mark.rawValue)] += 1
      numbers[Self.receivedPlace] += answered.record.bodyByteCount
      numbers[Self.sentPlace] += answered.bytesSent
      if isRepeated { numbers[Self.repeatedPlace] += 1 }
    }
  }

  func countWait(_ kind: RequestKind, microseconds: Int) {
    waits.withLock {
      $0[kind, default: Histogram.Counts()].buckets[Histogram.bucket(of: microseconds)] += 1
      $0[kind, default: Histogram.Counts()].microseconds += microseconds
    }
  }

  /// Counts an answer that is one of several, or an event of a stream.
  func countStreamed(_ mark: AnswerMark) {
    numbers.withLock { $0[Self.marksPlace + Int(mark.rawValue)] += 1 }
  }

  func countStreamed(byteCount: Int) { numbers.withLock { $0[Self.sentPlace] += byteCount } }

  /// The number of responses sent from the caches of event loops.
  var repeatedCount: Int { numbers.withLock { $0[Self.repeatedPlace] } }

  /// The bytes of all bodies received, and of all contents sent.
  var byteCounts: (received: Int, sent: Int) {
    numbers.withLock { ($0[Self.receivedPlace], $0[Self.sentPlace]) }
  }

  /// The number of answers to readers by what they are; zero for those that there were none of.
  var answers: [(mark: AnswerMark, count: Int)] {
    let numbers = numbers.withLock(\.self)
    return AnswerMark.all.map { ($0, numbers[Self.marksPlace + Int($0.rawValue)]) }
  }

  /// How long requests waited, by kind.
  var waitTimes: [(kind: RequestKind, counts: Histogram.Counts)] {
    waits.withLock(\.self).sorted { $0.key.rawValue < $1.key.rawValue }
      .map { ($0.key, $0.value) }
  }

  /// What was noted, by kind and class; nothing of those of which there was no response.
  var snapshot: [Row] {
    let numbers = numbers.withLock(\.self)
    return RequestKind.allCases.flatMap { kind in
      Self.classes.compactMap { statusClass in
        let index = Int(kind.rawValue) * Self.classes.count + statusClass - 2
        return row(kind, statusClass, numbers[(index * Self.width)...].prefix(Self.width))
      }
    }
  }

  private func row(
    _ kind: RequestKind, _ statusClass: Int, _ numbers: ArraySlice<Int>
  ) -> Row? {
    let statuses = zip((statusClass * 100)..., numbers.suffix(100)).filter { $0.1 > 0 }
    guard !statuses.isEmpty else { return nil }
    var latency = Histogram.Counts()
    latency.buckets = Array(numbers.prefix(Self.bucketCount))
    latency.microseconds = numbers[numbers.startIndex + Self.bucketCount]
    return Row(
      kind: kind, statusClass: statusClass, latency: latency,
      statuses: statuses.map { (status: $0.0, count: $0.1) })
  }
}
