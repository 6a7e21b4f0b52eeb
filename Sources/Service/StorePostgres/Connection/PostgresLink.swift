import Synchronization
import VersionedCollections

/// How the database is reached, and whether it can be.
///
/// While it cannot, nobody connects but the notice connection, so that requests fail at once and the
/// database is not met by a herd when it is back.
final class PostgresLink: Sendable {
  private struct State {
    var lastContact = ContinuousClock.now
    var isAway = false
    var lastRead = ContinuousClock.now
    var isReadable = true
    /// When the disk of the database was last full, unless a write succeeded since.
    var fullDate: ContinuousClock.Instant?
    /// When it could be reached and read again, and the seconds for which it could not be.
    var recovery: (date: ContinuousClock.Instant, seconds: Int)?

    /// The seconds since it was last reached or read, while it cannot be.
    var secondsStale: Int? {
      guard isAway || !isReadable else { return nil }
      let last = isAway ? lastContact : lastRead
      return Int((ContinuousClock.now - last).components.seconds)
    }

    /// Records that it is reached, or read.
    mutating func recover(_ change: (inout State) -> Void) {
      let seconds = secondsStale
      change(&self)
      if let seconds, secondsStale == nil { recovery = (.now, seconds) }
    }
  }

  let conninfo: String
  let options: PostgresOptions
  private let state = Mutex(State())

  init(_ conninfo: String, _ options: PostgresOptions) {
    self.conninfo = conninfo
    self.options = options
  }

  /// The seconds since the database was last reached; nil if it can be reached.
  var secondsAway: Int? {
    state.withLock { state in
      guard state.isAway else { return nil }
      return Int((ContinuousClock.now - state.lastContact).components.seconds)
    }
  }

  /// Why writes cannot be committed; nil if they can, as far as is known.
  ///
  /// Nothing is written to try: a disk counts as full for ten seconds after a write has found it so.
  var outage: StoreOutage? {
    state.withLock { state in
      if state.isAway { return .unavailable }
      guard let date = state.fullDate else { return nil }
      return ContinuousClock.now - date < .seconds(10) ? .full : nil
    }
  }

  /// The seconds for which the database could not be reached or read, if that is so or was within a duration until now.
  ///
  /// Reads also fail when the database is reached, but takes too long for them.
  func secondsStale(within duration: Duration) -> Int? {
    state.withLock { state in
      if let seconds = state.secondsStale { return seconds }
      guard let recovery = state.recovery, ContinuousClock.now - recovery.date <= duration else {
        return nil
      }
      return recovery.seconds
    }
  }

  /// Records the end of a read of what readers get; nil if it succeeded.
  func noteRead(_ error: StoreError?) {
    state.withLock { state in
      if case .unavailable? = error {
        state.isReadable = false
      } else {
        state.recover { ($0.lastRead, $0.isReadable) = (.now, true) }
      }
    }
  }

  /// Records the end of a write.
  func noteWrite(_ result: Result<Void, StoreError>) {
    switch result {
    case .success: state.withLock { $0.fullDate = nil }
    case .failure(.full): state.withLock { $0.fullDate = .now }
    case .failure: break
    }
  }

  /// Records that the database has answered.
  func noteContact() {
    state.withLock { $0.recover { ($0.lastContact, $0.isAway) = (.now, false) } }
  }

  /// Records that the database cannot be reached.
  func noteLoss(_ failure: PostgresFailure) {
    let isNews = state.withLock { state in
      defer { state.isAway = true }
      return !state.isAway
    }
    if isNews {
      options.faults(Fault(.storeUnavailable, "the database is away: \(failure.text)"))
    }
  }

  /// Connects, to the store unless another place is given; only a probe tries while the database is away.
  func connect(
    to conninfo: String? = nil, isProbe: Bool = false, timeoutMilliseconds: Int32? = nil
  ) throws(PostgresFailure) -> PostgresConnection {
    if !isProbe, secondsAway != nil {
      throw PostgresFailure(state: "", text: "the database is away")
    }
    do {
      let connection = try PostgresConnection(
        conninfo ?? self.conninfo, isReadOnly: options.isReadOnly,
        connectSeconds: options.database.connectSeconds,
        timeoutMilliseconds: timeoutMilliseconds
          ?? Int32(clamping: options.database.answerSeconds * 1000))
      noteContact()
      return connection
    } catch {
      noteLoss(error)
      throw error
    }
  }
}
