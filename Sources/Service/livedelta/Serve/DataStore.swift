import DeltaHTTP
import StorePostgres
import StoreSQLite
import VersionedCollections

enum DataStore {
  static func isDatabase(_ data: String) -> Bool {
    data.hasPrefix("postgres://") || data.hasPrefix("postgresql://")
  }

  /// What a store is opened for.
  enum Purpose {
    /// A service keeps its data in it.
    case served
    /// It is copied, and not changed.
    case copied
    /// Another one is copied to it.
    case filled
  }

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - data: A directory, `postgres://…`, or `:memory:`.
  ///   - settings: The settings.
  ///   - configuration: The configuration made of them.
  ///   - purpose: What it is opened for.
  ///   - faults: Called with faults of background work.
  /// - Returns: The store, and what closes it.
  /// - Throws: A `Failure`.
  static func open(
    _ data: String, _ settings: Settings, _ configuration: DeltaServerConfiguration,
    as purpose: Purpose = .served, _ faults: @escaping FaultSink
  ) throws -> (store: any CollectionStore, close: @Sendable () -> Void) {
    if data == ":memory:" { return (MemoryStore(), {}) }
    var options = try options(settings, configuration)
    options.faults = faults
    if isDatabase(data) {
      var options = PostgresOptions(options, configuration)
      switch settings.databaseNotices {
      case "": options.notices = .onStore
      case "off": options.notices = .off
      case let conninfo: options.notices = .on(conninfo)
      }
      if purpose != .served { options = options.forCopy(isSource: purpose == .copied) }
      let store = try Failure.configuring { [options] in
        try PostgresStore(data, options: options)
      }
      return (store, store.close)
    }
    if purpose != .served { options = options.forCopy(isSource: purpose == .copied) }
    let store = try Failure.configuring { [options] in
      try SQLiteStore(directory: data, options: options)
    }
    return (store, store.close)
  }

  static func options(
    _ settings: Settings, _ configuration: DeltaServerConfiguration
  ) throws -> StoreOptions {
    guard !settings.data.isEmpty else {
      throw Failure.configuration("data is empty; it is a directory, postgres://…, or :memory:")
    }
    var options = StoreOptions(configuration.serviceLimits, time: configuration.time)
    options.durability = try Settings.choice(
      "durability", settings.durability, ["full": StoreOptions.Durability.full, "normal": .normal])
    return options
  }
}

extension PostgresOptions {
  /// Creates the options that correspond to those of a directory.
  fileprivate init(_ options: StoreOptions, _ configuration: DeltaServerConfiguration) {
    self.init(configuration.serviceLimits, time: configuration.time)
    isSynchronous = options.durability == .full
    durable.faults = options.faults
  }
}
