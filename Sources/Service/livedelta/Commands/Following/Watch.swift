import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient
import SnapshotJSON

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follows a list, change by change.",
    discussion: """
      It holds a copy as an app does, waits for changes, applies each delta and prints what it did: \
      + inserted, - deleted, > moved, ~ changed. It waits for a collection that does not exist yet or \
      was deleted, and for a service that is away. Ctrl-C ends it.

        livedelta watch u42/inbox
        livedelta watch u42/inbox --time --until-deleted
        livedelta watch u42/inbox --where /unread:eq:true --select /title
        livedelta watch u42/inbox --json | jq .kind
      """)

  @Option(help: "Stop after this many changes; the list as it is counts as the first.")
  var changes: Int?

  @Flag(help: "Stop when the collection is deleted.")
  var untilDeleted = false

  @Flag(help: "Print the time of each change.")
  var time = false

  @OptionGroup(title: "View options") var view: ViewOptions
  @OptionGroup var collection: CollectionOptions
  @OptionGroup(title: commonOptions) var output: OutputOptions

  /// The longest time to wait for news in one request, in seconds.
  private static let waitMax = 25

  func run() async throws {
    try await collection.run(view) { client, collection in
      // Answers are printed as they come: an item whole, not what changed in it.
      var follower = CollectionFollower(client, collection, takesItemPatches: !output.json)
      let presenter = ReplicaPresenter()
      let textView = await ReplicaTextView(showing: presenter, writeQueue: output.printer.change)
      var outage = Outage()
      var isKnown = false
      var left = changes ?? Int.max
      var isFirst = !output.json
      while left > 0 {
        do {
          let news = try await follower.next(
            wait: min(Self.waitMax, collectionWait), awaitsCreation: isKnown)
          isKnown = true
          outage.end()
          guard let headline = Self.headline(news.change, follower.replica) else { continue }
          left -= 1
          show(news.answer, headline)
          if !output.json { await presenter.show(news.change, in: textView) }
          if case .deleted = news.change, untilDeleted { return }
          if isFirst, left > 0 {
            Terminal.note("livedelta: waiting for changes of \(collection); Ctrl-C ends it")
          }
          isFirst = false
        } catch let error as ClientError where error.isPassing(wasReached: isKnown) {
          isKnown = true
          try await outage.wait(
            after: error.isMissing
              ? "\(collection) does not exist; waiting for it" : "\(error); trying again")
        }
      }
    }
  }

  /// The longest wait that `--timeout` allows: a stalled connection fails after twice that time.
  private var collectionWait: Int { collection.connection.timeout }

  private func show(_ answer: ClientResponse, _ headline: String) {
    let printer = output.printer
    guard time else { return output.json ? printer.json(answer.body) : printer.heading(headline) }
    let now = Timestamp.now()
    guard output.json else { return printer.heading("\(now) \(headline)") }
    printer.json(
      JSONWriter.object { writer in
        writer.member("time", now)
        writer.member("answer", raw: answer.body)
      })
  }

  /// Describes a change in one line; `nil` if nothing changed.
  private static func headline(_ change: ReplicaChange, _ replica: CollectionReplica) -> String? {
    let size =
      "\(counted(replica.sections.count, "section")), \(counted(replica.itemCount, "item"))"
    switch change {
    case .unchanged: return nil
    case .deleted: return "deleted"
    case .replaced(_, let reset):
      let reason = reset.map { " (reset: \($0.reason))" } ?? ""
      return "snapshot \(replica.version ?? "")\(reason): \(size)"
    case .updated(let update):
      let steps = counted(update.stages.count, "step")
      return "delta to \(replica.version ?? ""), \(steps): \(size)"
    }
  }
}

extension ClientError {
  fileprivate var isMissing: Bool {
    guard case .problem(let problem) = self else { return false }
    return problem.code == "collection-not-found"
  }

  /// Whether to try again; a service that is unreachable from the start is more likely a wrong address.
  fileprivate func isPassing(wasReached: Bool) -> Bool {
    if case .problem = self { return isMissing || isTemporary }
    return wasReached && isTemporary
  }
}
