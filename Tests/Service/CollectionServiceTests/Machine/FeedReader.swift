import Synchronization

@testable import CollectionService
@testable import VersionedCollections

/// A reader of the feed of changes that knows the head of each collection.
///
/// `@unchecked Sendable`: it is used in one thread.
final class FeedReader: @unchecked Sendable {
  private let store: MachineStore
  /// Its position; nil before the first event.
  private var mark: ChangeMark?
  /// The heads as it knows them.
  private(set) var heads: [CollectionKey: VersionToken] = [:]
  /// Whether its connection can always be written to, or only sometimes.
  var takesAll = false
  private let pattern: UInt64
  private var count: UInt64 = 0

  /// - Parameters:
  ///   - store: The store, of which it reads the heads when it begins or has missed changes.
  ///   - earlier: A reader from whose position it goes on; nil to begin now.
  ///   - pattern: When its connection can be written to.
  init(_ store: MachineStore, _ earlier: FeedReader?, pattern: UInt64) {
    self.store = store
    self.pattern = pattern
    guard let earlier, let mark = earlier.mark else { return }
    (self.mark, heads) = (mark, earlier.heads)
  }

  /// Where it goes on; nil to begin now.
  var position: ChangeMark? { mark }

  /// Begins where the feed is now.
  func begin() {
    if mark == nil { readHeads() }
  }

  private func readHeads() { heads = store.collections.mapValues(\.version) }

  /// Receives an event.
  ///
  /// - Returns: Whether it can be sent more.
  func receive(_ event: ChangeEvent) -> Bool {
    switch event {
    case .changes(let changes):
      for (mark, change) in changes {
        heads[change.key] = change.isDeleted ? nil : change.version
        self.mark = mark
      }
    case .bookmark(let mark): self.mark = mark
    case .incomplete(let mark, _):
      self.mark = mark
      readHeads()
    case .ping, .end: break
    }
    count += 1
    return takesAll || pattern >> (count % 64) & 1 == 1
  }
}

extension ShardEvent {
  static func followFeed(
    _ id: UInt64, _ reader: FeedReader, _ answers: MachineAnswers
  ) -> ShardEvent {
    let request = ChangesRequest(
      since: reader.position, ping: .seconds(15), lifetime: .seconds(300))
    return .arrived(
      ReaderRequest(
        id: id, client: .changes,
        kind: .feed(request) { error in
          answers.add(id, error == nil ? "first" : "refused")
          guard error == nil else { return nil }
          reader.begin()
          return { event in
            if case .end(let reason) = event { answers.add(id, "end \(reason.rawValue)") }
            return reader.receive(event)
          }
        }))
  }
}
