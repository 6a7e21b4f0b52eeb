import DequeModule
import VersionedCollections

/// Whose answer is made next: a value without queues or clocks; see ``AnswerWorkers``.
///
/// Each asker has a line. Those whose first answer may begin take turns, with those whose answer is under way and had its
/// time. An asker has one answer under way; a client's askers together have few, and all have a bounded number, because
/// what has begun takes memory and a thread.
struct AnswerLines {
  /// An answer that is to be made.
  struct Job: Sendable {
    let order: AnswerOrder
    let make: AnswerOrder.Make
    /// Its place among all that were ordered.
    fileprivate(set) var number = 0
    /// Whether the same answer cost too much for somebody who had ordered it, when this one was ordered already.
    fileprivate(set) var hasFailed = false
  }

  /// What to do next.
  enum Step {
    /// Begin an answer on a worker.
    case begin(Job, worker: Int)
    /// Go on with an answer that had to wait.
    case resume(AnswerPause)
  }

  private typealias Asker = AnswerOrder.Asker
  private typealias Topic = AnswerOrder.Topic

  /// What an asker waits for besides its turn.
  private enum Barrier: Hashable {
    /// That no answer of a topic is being made.
    case topic(Topic)
    /// That fewer answers of a client are under way.
    case client(ResourceName)
  }

  /// The most answers that are being made at a time, that are under way, and that are under way of one client.
  static let (runningMax, underWayMax, underWayOfClientMax) = (2, 16, 4)

  private var lines: [Asker: Deque<Job>] = [:]
  /// The askers whose turn comes, each once.
  private var beginning = Deque<Asker>()
  /// The others that have a line and nothing under way.
  private var blocked: [Barrier: Deque<Asker>] = [:]
  private var paused = Deque<AnswerPause>()
  private var askersUnderWay: Set<Asker> = []
  private var clientsUnderWay: [ResourceName: Int] = [:]
  private var topicsUnderWay: Set<Topic> = []
  /// Those who wait for an answer of a topic, and the last number of one that failed.
  private var wanted: [Topic: [ReadInterest]] = [:]
  private var failures: [Topic: Int] = [:]
  private var freeWorkers = Array((0..<underWayMax).reversed())
  private var runningCount = 0
  private var number = 0
  /// Whether one that has begun is next.
  private var isPausedNext = false

  /// Adds an answer.
  mutating func append(_ order: AnswerOrder, _ make: @escaping AnswerOrder.Make) {
    number += 1
    var job = Job(order: order, make: make)
    job.number = number
    for topic in order.topics {
      if let interest = order.interest { wanted[topic, default: []].append(interest) }
    }
    let isFirst = lines[order.asker] == nil
    lines[order.asker, default: []].append(job)
    if isFirst, !askersUnderWay.contains(order.asker) { beginning.append(order.asker) }
  }

  /// What can be done now.
  mutating func steps() -> [Step] {
    var steps: [Step] = []
    while runningCount < Self.runningMax, let step = next() {
      runningCount += 1
      steps.append(step)
    }
    return steps
  }

  private mutating func next() -> Step? {
    if isPausedNext || freeWorkers.isEmpty, let pause = paused.popFirst() {
      isPausedNext = false
      return .resume(pause)
    }
    if let step = begin() {
      isPausedNext = !paused.isEmpty
      return step
    }
    return paused.popFirst().map { .resume($0) }
  }

  private mutating func begin() -> Step? {
    guard !freeWorkers.isEmpty else { return nil }
    while let asker = beginning.popFirst() {
      guard let job = lines[asker]?.first else { continue }
      if job.order.interest?.hasEnded == true {
        removeFirst(of: asker)
        drop(job)
        if lines[asker] != nil { beginning.prepend(asker) }
        continue
      }
      if let barrier = barrier(of: job) {
        blocked[barrier, default: []].append(asker)
        continue
      }
      removeFirst(of: asker)
      return .begin(start(job), worker: freeWorkers.removeLast())
    }
    return nil
  }

  private mutating func removeFirst(of asker: Asker) {
    lines[asker]?.removeFirst()
    if lines[asker]?.isEmpty == true { lines[asker] = nil }
  }

  private func barrier(of job: Job) -> Barrier? {
    if let topic = job.order.topics.first(where: topicsUnderWay.contains) { return .topic(topic) }
    let client = job.order.asker.client
    return clientsUnderWay[client, default: 0] < Self.underWayOfClientMax ? nil : .client(client)
  }

  private mutating func start(_ job: Job) -> Job {
    var job = job
    job.hasFailed = job.order.topics.contains { failures[$0].map { job.number <= $0 } ?? false }
    askersUnderWay.insert(job.order.asker)
    clientsUnderWay[job.order.asker.client, default: 0] += 1
    topicsUnderWay.formUnion(job.order.topics)
    return job
  }

  /// Whether somebody waits for an answer that is being made, or for another one of its topics.
  mutating func isWanted(_ job: Job) -> Bool {
    guard job.order.interest?.hasEnded == true else { return true }
    return job.order.topics.contains { topic in
      wanted[topic]?.removeAll { $0.hasEnded }
      return wanted[topic]?.isEmpty == false
    }
  }

  /// Whether anybody else has a turn.
  var hasOthers: Bool { !paused.isEmpty || !beginning.isEmpty && !freeWorkers.isEmpty }

  /// Has an answer wait until its turn comes again.
  mutating func pause(_ pause: AnswerPause) {
    runningCount -= 1
    paused.append(pause)
  }

  /// Ends an answer that was made on a worker, or that cost too much.
  mutating func end(_ job: Job, worker: Int, costTooMuch: Bool) {
    let asker = job.order.asker
    runningCount -= 1
    freeWorkers.append(worker)
    askersUnderWay.remove(asker)
    let count = clientsUnderWay[asker.client, default: 1] - 1
    clientsUnderWay[asker.client] = count == 0 ? nil : count
    topicsUnderWay.subtract(job.order.topics)
    if costTooMuch, !job.hasFailed {
      for topic in job.order.topics { failures[topic] = number }
    }
    if lines[asker] != nil { beginning.append(asker) }
    release(.client(asker.client))
    drop(job)
  }

  /// Forgets who waited for an answer, and lets the next one of its topics have its turn.
  private mutating func drop(_ job: Job) {
    for topic in job.order.topics {
      if let interest = job.order.interest,
        let index = wanted[topic]?.firstIndex(where: { $0 === interest })
      {
        wanted[topic]?.remove(at: index)
      }
      if wanted[topic]?.isEmpty ?? true { (wanted[topic], failures[topic]) = (nil, nil) }
      release(.topic(topic))
    }
  }

  private mutating func release(_ barrier: Barrier) {
    guard let asker = blocked[barrier]?.popFirst() else { return }
    if blocked[barrier]?.isEmpty == true { blocked[barrier] = nil }
    beginning.append(asker)
  }
}
