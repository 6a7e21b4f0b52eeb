import CollectionService
import Synchronization

/// What a reader of a stream holds, by what it was sent.
final class HeldVersions: Sendable {
  private let entries: Mutex<[SyncRequest.Entry]>

  init(_ entries: [SyncRequest.Entry]) { self.entries = Mutex(entries) }

  /// Notes a response.
  ///
  /// - Returns: What the reader holds once it has applied it.
  func hold(_ answer: SyncAnswer) -> [SyncRequest.Entry] {
    entries.withLock { entries in
      for news in answer.news {
        guard let index = entries.firstIndex(where: { $0.name == news.name }) else { continue }
        entries[index].since = news.answer.heldVersion
      }
      return entries
    }
  }
}
