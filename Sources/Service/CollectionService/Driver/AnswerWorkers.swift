import SnapshotJSON
import Synchronization
import VersionedCollections

/// Queues that make answers which take long, by turns, so that nobody's answer waits for all that others ask for.
///
/// Two answers are being made at a time. One that takes longer than a turn lets others go on in its place, at one of the
/// moments when its meter looks around: a newcomer begins within some milliseconds, however dear the views of others are.
final class AnswerWorkers: Sendable {
  /// The time of a turn.
  private static let turn = Duration.milliseconds(5)

  private let lines = Mutex(AnswerLines())
  private let workers: [AnswerWorker]
  private let processorTime: @Sendable () -> Duration

  /// Creates the queues.
  ///
  /// - Parameters:
  ///   - queues: Creates them.
  ///   - processorTime: Returns the time that the current thread has had of the processor.
  init(queues: WorkQueue.Maker, processorTime: @escaping @Sendable () -> Duration) {
    workers = (0..<AnswerLines.underWayMax).map { index in
      // Others have work when many answers are under way, which is rare: they keep no memory.
      AnswerWorker(index, queues, keepsReader: index < AnswerLines.runningMax)
    }
    self.processorTime = processorTime
  }

  /// Makes an answer when its turn comes; not at all if nobody waits for it then.
  func make(_ order: AnswerOrder, _ make: @escaping AnswerOrder.Make) {
    perform(
      lines.withLock { lines in
        lines.append(order, make)
        return lines.steps()
      })
  }

  private func perform(_ steps: [AnswerLines.Step]) {
    for step in steps {
      switch step {
      case .resume(let pause): pause.end()
      case .begin(let job, let worker):
        workers[worker].perform { reader in self.make(job, worker, reader) }
      }
    }
  }

  private func make(_ job: AnswerLines.Job, _ worker: Int, _ reader: JSONReader) {
    var turnStart = processorTime()
    let watch = WorkMeter.Watch(clock: processorTime) {
      if self.processorTime() - turnStart >= Self.turn {
        self.letOthersGoOn()
        turnStart = self.processorTime()
      }
      return self.lines.withLock { $0.isWanted(job) }
    }
    let meter = WorkMeter(watch, limit: job.order.limit, isSpent: job.hasFailed)
    job.make(reader, meter)
    if job.order.limit != nil { job.order.interest?.add(meter.spent) }
    perform(
      lines.withLock { lines in
        lines.end(job, worker: worker, costTooMuch: meter.stop == .tooMuch)
        return lines.steps()
      })
  }

  /// Waits for the next turn of the answer that the current thread makes.
  private func letOthersGoOn() {
    let pause = AnswerPause()
    let steps = lines.withLock { lines -> [AnswerLines.Step]? in
      guard lines.hasOthers else { return nil }
      lines.pause(pause)
      return lines.steps()
    }
    guard let steps else { return }
    perform(steps)
    pause.wait()
  }
}

/// A serial queue, and perhaps its JSON reader.
///
/// `@unchecked Sendable`: the reader is used on the queue only.
private final class AnswerWorker: @unchecked Sendable {
  private let queue: WorkQueue
  private let kept: JSONReader?

  init(_ index: Int, _ queues: WorkQueue.Maker, keepsReader: Bool) {
    queue = queues("livedelta.answer.\(index)", false)
    kept = keepsReader ? Self.reader() : nil
  }

  /// A reader of what is stored, which may be deeper than what is accepted now.
  private static func reader() -> JSONReader { JSONReader(depthMax: JSONReader.depthMaxMax) }

  func perform(_ work: @escaping @Sendable (JSONReader) -> Void) {
    queue.async { work(self.kept ?? Self.reader()) }
  }
}
