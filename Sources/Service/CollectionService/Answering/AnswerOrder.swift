import Dispatch
import SnapshotJSON
import VersionedCollections

/// An answer that is to be made on a worker: for whom, and of what.
struct AnswerOrder: Sendable {
  /// Whoever shares a turn.
  struct Asker: Hashable, Sendable {
    /// The owner of the collections.
    var client: ResourceName
    /// The name of the reader; empty for what the service does itself.
    var reader = ""
  }

  /// What answers are made of; two of one topic are not made at one time, as the second finds what the first leaves.
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
