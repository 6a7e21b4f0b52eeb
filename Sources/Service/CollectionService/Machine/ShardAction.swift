import VersionedCollections

/// What a shard's machine wants done; see `ShardMachine`.
///
/// Most actions give an event in return.
enum ShardAction: Sendable {
  // MARK: The store

  /// Read parts of a client: gives `partsRead`.
  case read([StoredPart], StoreQuestion, load: Int?)
  /// Read the lists of collections of several clients: gives `listsRead`.
  case readLists([StoreQuestion])
  /// Read the feed of a shared store after a number: gives `feedRead`.
  case readFeed(after: UInt64?, countMax: Int)
  /// Read it for one reader: gives `olderFeedRead`.
  case readOlderFeed(UInt64, generation: Int, after: UInt64, countMax: Int)
  /// Read the changes since a date for one reader, in turn: gives `olderChangesRead`.
  case readOlderChanges(UInt64, since: Int64, countMax: Int)
  case record([CollectionKey], date: Int64)
  /// Prepare a write, here or on a worker, and commit it: gives `committed`.
  case commit(WriteWork, number: Int)
  /// Find the version that a job restores, in the collection's state: gives `write` with it.
  case findTarget(WriteJob, [UInt8], CollectionState?)

  // MARK: Answers

  /// Make the answer to a reader of one collection, here or on a worker, and give it.
  case answer(PollWork, AnswerSource, PollReply, Duration?)
  /// Make the answer to a reader of several, or to one who may go on waiting, here or on a worker: gives `composed`.
  case compose(UInt64, PollWork)
  /// Make the answer to a writer, here or on a worker, and give it.
  case answerWriter(WriterAnswer)
  /// Give an answer.
  case tell(Message, Duration? = nil)
  /// Start a stream: gives `began`.
  case begin(UInt64, StreamStart)
  /// Send an event: gives `sent`.
  case send(UInt64, StreamMessage, Duration? = nil)

  // MARK: Turns, time and others

  /// Wait until no other load of several collections is under way: gives `loadTurnCame`.
  case awaitLoadTurn(Int, of: ResourceName)
  /// Let the next load of several collections begin.
  case endLoadTurn
  /// Wait until no other shard asks for lists: gives `listTurnCame`.
  case awaitListTurn([ResourceName])
  /// Let the next shard ask for lists.
  case endListTurn
  /// Handle an event next, before anything else that happens.
  case next(ShardEvent)
  /// Handle an event after what has happened meanwhile.
  case later(ShardEvent)
  /// Give `timePassed` at this uptime, instead of at any other.
  case setTimer(Duration)
  /// Withdraw a head: no answer made from it may be repeated.
  case withdraw(PublishedHead)
  case report(Fault)
  case evictEverywhere
  /// Tell the shard that serves the feed of changes that there are some.
  case feedChanged
}
