package import VersionedCollections

/// The configuration of a store in PostgreSQL, besides that of every durable store.
@dynamicMemberLookup
package struct PostgresOptions: Sendable {
  /// How replicas tell each other of writes.
  package enum Notices: Hashable, Sendable {
    /// By `NOTIFY`, on a connection to the database that the store is in.
    case onStore
    /// By `NOTIFY`, on a connection of its own, because a pooler in transaction mode is between.
    case on(String)
    /// Not at all: they learn of writes within a second.
    case off
  }

  /// The options of every durable store; a store that is only read may be a standby.
  package var durable: DurableStoreOptions
  /// Whether a write waits until the database has it on disk, and on its synchronous standbys.
  ///
  /// Without it, a crash of the database may lose the writes of its last second.
  package var isSynchronous = true
  /// How replicas tell each other of writes.
  package var notices = Notices.onStore
  /// The limits on connections and queues.
  package var database: DatabaseLimits
  /// How long a piece of a compaction takes, but for its last image; then others have their turn.
  package var compactionPiece = Duration.milliseconds(500)

  /// Creates options with the service's limits.
  package init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    durable = DurableStoreOptions(limits, time: time)
    database = limits.database
  }

  /// Returns the options for copying a store to another one, as ``DurableStoreOptions`` does.
  package func forCopy(isSource: Bool) -> PostgresOptions {
    var options = self
    options.durable = durable.forCopy(isSource: isSource)
    if isSource { options.notices = .off }
    return options
  }

  /// An option of every durable store.
  package subscript<Value>(
    dynamicMember option: WritableKeyPath<DurableStoreOptions, Value>
  ) -> Value {
    get { durable[keyPath: option] }
    set { durable[keyPath: option] = newValue }
  }
}

/// Why a database cannot be used.
package struct PostgresOpenError: Error, CustomStringConvertible, Sendable {
  /// What is wrong, and how to fix it.
  package var description: String
}
