import ArgumentParser
import LiveCollectionsClient

/// `livedelta watch`.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follows a collection and prints each change.",
    discussion: """
      It holds a copy like an app does, waits for news by long poll, applies each delta and prints \
      what it did: + inserted, - deleted, > moved, ~ reloaded. It goes on when the service was away. \
      End it with Ctrl-C.

        livedelta watch --collection u42/inbox
        livedelta watch --collection u42/inbox --json | jq .kind
      """)

  @Option(help: "Stop after so many changes; the first is the content as it stands.")
  var changes: Int?

  @OptionGroup var collection: CollectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await reporting {
      try await collection.run { client, collection in
        var follower = CollectionFollower(client, collection)
        let presenter = ReplicaPresenter()
        let view = TextView(presenter) { Terminal.line($0) }
        var pause = Backoff()
        var left = changes ?? Int.max
        while left > 0 {
          do {
            let news = try await follower.next()
            pause = Backoff()
            guard let headline = Self.headline(news.change, follower.replica) else { continue }
            left -= 1
            if output.json {
              Terminal.body(news.answer.body)
            } else {
              Terminal.line(headline)
              await presenter.show(news.change, in: view)
            }
            if case .deleted = news.change { return }
          } catch let error as ClientError
            where error.isTemporary && follower.replica.version != nil
          {
            Terminal.note("livedelta: \(error); trying again")
            try await pause.wait()
          }
        }
      }
    }
  }

  /// What happened, in a line; `nil` when nothing did.
  private static func headline(_ change: ReplicaChange, _ replica: CollectionReplica) -> String? {
    let size = "\(replica.sections.count) sections, \(replica.itemCount) items"
    switch change {
    case .unchanged: return nil
    case .deleted: return "deleted"
    case .replaced(_, let reset):
      let reason = reset.map { " (reset: \($0.reason))" } ?? ""
      return "snapshot \(replica.version ?? "")\(reason): \(size)"
    case .updated(let update):
      let steps = update.stages.count
      return "delta to \(replica.version ?? ""), \(steps) step\(steps == 1 ? "" : "s"): \(size)"
    }
  }
}

/// Longer and longer pauses, none twice the same, so that readers do not come back all at once.
private struct Backoff {
  private var seconds = 0.25

  mutating func wait() async throws {
    let jittered = seconds * Double.random(in: 0.5...1)
    seconds = min(seconds * 2, 8)
    try await Task.sleep(for: .milliseconds(Int(jittered * 1000)))
  }
}

extension ClientError {
  /// Whether the same request may succeed soon.
  var isTemporary: Bool {
    switch self {
    case .transport, .timedOut: true
    case .problem(let problem): [429, 502, 503, 504].contains(problem.status)
    case .badAddress, .cancelled, .answerTooLarge, .malformed: false
    }
  }
}
