import Dispatch
import SnapshotJSON
import VersionedCollections

/// An answer that is to be made on a worker: for whom, and of what.
struct AnswerOrder: Sendable {
  /// A reader of a client, which shares a turn with nobody else.
  struct Asker: Hashable, Sendable {
    /// The owner of the collections.
    var client: ResourceName
    /// The name of the reader; empty for what the service does itself.
    var reader = ""
  }

  /// A collection, and a view of it: two answers of one topic are not made at one time, since the second finds in caches
  /// the work of the first.
  struct Topic: Hashable, Sendable {
    var collection: CollectionKey
    var view: View?
  }

  /// Makes the answer.
  typealias Make = @Sendable (JSONReader, WorkMeter) -> Void

  var asker: Asker
  var topics: [Topic] = []
  /// Whether somebody waits for it; nil if it is to be made in any case.
  var interest: ReadInterest?
  /// The longest time on the processor; nil for any.
  var limit: Duration?
}

/// The wait of an answer for its next turn.
final class AnswerPause: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() { semaphore.wait() }

  func end() { semaphore.signal() }
}
