import VersionedCollections

/// What happens to a shard; see `ShardMachine`.
enum ShardEvent: Sendable {
  // MARK: Requests

  /// Somebody wants to read.
  case arrived(ReaderRequest)
  /// A reader's connection was closed; the reader is not answered any more.
  case left(UInt64)
  /// A stream's reader may see something else from now on; what it may see of each collection, in their order.
  case accessChanged(UInt64, [ReadAccess])
  /// A reader waits for changes no longer.
  case waitEnded(UInt64)
  /// A stream's connection can be written to again.
  case writable(UInt64)
  /// Somebody wants to write.
  case write(WriteJob)
  /// Somebody asks about a client's collections.
  case query(Query)

  // MARK: What actions gave

  /// The answer to a reader was made, or could not be.
  case composed(UInt64, Result<SyncAnswer, ServiceFailure>)
  /// A stream was started; it has no sink if it ended at once.
  case began(UInt64, StreamSink?, isWritable: Bool)
  /// An event was sent on a stream.
  case sent(UInt64, isWritable: Bool)
  /// Parts of a client were read; `load` is nil if they were read for all that wait for them.
  case partsRead([StoredPart], [Result<StoredValue, StoreError>], StoreQuestion, load: Int?)
  /// It is the turn of a load of several collections.
  case loadTurnCame(Int, of: ResourceName)
  /// A write was prepared, and committed if it changes anything; `ticket` is released afterwards.
  case committed(PreparedWriteJob, number: Int, Result<Void, StoreError>, ticket: (any Sendable)?)
  /// It is the shard's turn to ask for lists of collections.
  case listTurnCame([ResourceName])
  /// Lists were read; `isAway` says whether the store is known to be away.
  case listsRead(
    Result<[ResourceName: [CollectionSummary]], StoreError>, [StoreQuestion], isAway: Bool)
  /// The feed of a shared store was read for all readers.
  case feedRead(Result<StoredFeed, StoreError>)
  /// The feed of a shared store was read for one reader, whose position is far back.
  case olderFeedRead(UInt64, generation: Int, Result<StoredFeed, StoreError>)
  /// The changes before this run of the service were read for one reader; nil if they are unknown.
  case olderChangesRead(UInt64, [CollectionChange]?)

  // MARK: Time and others

  /// The time for which the timer was set.
  case timePassed(Duration)
  /// Others may have written these clients; nil for any. Also sent once a second.
  case othersWrote([ResourceName]?)
  case feedChanged
  /// Another shard found that memory is full.
  case evict
  /// The service is shutting down: all readers are answered within a window.
  case release(over: Duration)
  /// Unused collections are about to be searched for, at a date.
  case recordUses(Int64, Reply<Void>)

  // MARK: Turns

  /// The next readers are to be notified.
  case notify
  /// The next writes of a client are to be started.
  case startWrites(of: ResourceName)
}

/// What is asked of a store about a client, and what was in memory then.
struct StoreQuestion: Sendable {
  let client: ResourceName
  /// Tells the client from one of the same name that was in memory before.
  let clientNumber: Int
  /// Lists of collections are numbered in the order asked for.
  let number: Int
  /// When it was asked.
  let date: Duration
  /// What was in memory, if the store is shared.
  let marks: [ResourceName: CollectionMark]
}
