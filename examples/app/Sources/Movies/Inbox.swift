import LiveCollections
import LiveCollectionsTesting
import LiveDeltaClient
import LiveDeltaURLSession

/// What a row of the inbox shows.
struct Message: Decodable {
  var title: String
}

/// A list that a service keeps up to date, as a screen would hold it.
@MainActor final class Inbox {
  private let presenter = ReplicaPresenter()
  private let messages = ItemDecoder<Message> { item, error in print("\(item.id): \(error)") }
  private var following: Task<Void, any Error>?

  /// A feed of the inbox, whose credential may change.
  static func feed(
    of client: String, token: @escaping DeltaClient.TokenProvider
  ) throws -> SyncFeed {
    let service = DeltaClient(
      try ServerAddress("https://lists.example.org"), transport: URLSessionTransport(),
      tokens: token)
    return SyncFeed(service, [CollectionAddress(client: client, name: "inbox")])
  }

  /// Shows what the feed brings, until `stop()`.
  func follow(_ feed: SyncFeed, in view: any SectionDeltaUpdatableView) {
    following = Task { [presenter] in
      try await feed.run { event in
        guard case .change(let changes) = event else { return }
        for change in changes.values { await presenter.show(change, in: view) }
      }
    }
  }

  /// Stops following, as in the background.
  func stop() { following?.cancel() }

  /// Shows a snapshot that came with the app.
  func show(_ json: String) async throws {
    var replica = CollectionReplica()
    let snapshot = try WireSnapshot(body: Array(json.utf8))
    let change = try replica.apply(.snapshot(snapshot))
    await presenter.show(change, in: screen())
  }

  /// The contents as lines of text, in place of a table.
  private func screen() -> TextListView {
    TextListView {
      print($0)
    } content: { [presenter] in
      presenter.sections.map { section in
        TextListView.Section(header: section.id.text, rows: section.items.map(\.id.text))
      }
    }
  }

  /// The title in a row; `nil` for a message that this version cannot read.
  func title(_ row: Int, in section: Int) -> String? {
    messages.value(of: presenter.sections[section].items[row])?.title
  }
}
