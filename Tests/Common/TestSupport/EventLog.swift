package import CollectionService
import Synchronization
package import VersionedCollections

/// What a follower was told, and how much it takes.
package final class EventLog: Sendable {
  private let state = Mutex((events: [String](), takes: Int.max))

  package init() {}

  package var events: [String] { state.withLock { $0.events } }

  /// After how many events nothing more is taken.
  package var takes: Int {
    get { state.withLock { $0.takes } }
    set { state.withLock { $0.takes = newValue } }
  }

  package func append(_ event: String) -> Bool {
    state.withLock { state in
      state.events.append(event)
      return state.events.count < state.takes
    }
  }

  /// The events once there are so many.
  package func wait(_ count: Int) async throws -> [String] {
    try await until { events.count >= count }
    return events
  }
}

extension ServiceBench {
  /// Follows a collection from a version on.
  @discardableResult
  package func follow(
    _ key: CollectionKey? = nil, since: VersionToken?, _ log: EventLog
  ) -> FollowTicket {
    let key = key ?? self.key
    let ticket = service.followTicket(for: key.client)
    let request = FollowRequest(
      sync: SyncRequest(entries: [.init(.everything, name: key.name, since: since)], form: .plain),
      ping: .seconds(15), lifetime: .seconds(300))
    service.follow(key.client, request, ticket) { result in
      guard case .success(let first) = result else { return nil }
      let sink: FollowSink = { event in
        switch event {
        case .news(let answer):
          answer.news.map { log.append($0.answer.text) }.last ?? true
        case .ping: log.append("ping")
        case .end(let reason): log.append("end " + reason.rawValue)
        case .refusal(let failure): log.append("refused \(failure.error)")
        }
      }
      let text = first.news.first?.answer.text ?? "bookmark"
      return (sink: sink, isWritable: log.append(text))
    }
    return ticket
  }
}
