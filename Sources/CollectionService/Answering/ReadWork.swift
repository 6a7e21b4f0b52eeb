import VersionedCollections

/// The answer to a reader of one collection, to be made on any queue.
///
/// It is an object because ten thousand of them may pass through actions, and a state is large.
final class ReadWork: Sendable {
  let client: ResourceName
  let request: ReadRequest
  /// The collection's state when the reader was answered; nil if it does not exist.
  let collection: CollectionState?
  let source: AnswerSource
  let reply: ReadReply

  init(
    _ client: ResourceName, _ request: ReadRequest, _ collection: CollectionState?,
    _ source: AnswerSource, _ reply: @escaping ReadReply
  ) {
    (self.client, self.request, self.collection) = (client, request, collection)
    (self.source, self.reply) = (source, reply)
  }

  /// Whether it takes long to make.
  func isLong(_ context: AnswerContext) -> Bool {
    guard let collection else { return false }
    return context.isCold(request, collection)
  }

  /// The bytes of the collection if the answer has to be made from it; nil if it is known, or there is no collection.
  func byteCountToMake(_ context: AnswerContext) -> Int? {
    guard let collection, !context.isKnown(request, collection) else { return nil }
    return collection.contents.byteCount
  }

  /// The versions of which a view needs contents that are not in memory.
  func missingVersions(_ maker: AnswerMaker) -> [RetainedVersion] {
    guard let collection, let version = maker.missingVersion(request, collection) else { return [] }
    return [version]
  }

  /// Makes the answer and gives it.
  func answer(_ maker: AnswerMaker) { reply(maker.answer(request, collection, of: client), source) }
}
