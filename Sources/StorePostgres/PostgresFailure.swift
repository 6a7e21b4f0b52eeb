import CollectionService

/// Why a statement failed.
struct PostgresFailure: Error {
  /// The SQLSTATE; empty if the connection failed.
  var state: String
  /// The message, for the log.
  var text: String

  /// Whether the connection is unusable.
  ///
  /// If it was lost during a commit, the outcome is unknown.
  var isLost: Bool {
    state.isEmpty || state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
  }
}

extension StoreError {
  init(_ failure: PostgresFailure) {
    switch failure.state {
    // A head or a key is not the expected one; see `PostgresWrite`. Transactions that waited for
    // each other, or that changed the same rows, count too: the service prepares them again.
    case "22012", "23502", "23505", "40001", "40P01": self = .conflict
    case "53100": self = .full(failure.text)
    case "XX001", "XX002": self = .damaged(failure.text)
    default: self = .unavailable("PostgreSQL \(failure.state): \(failure.text)")
    }
  }

  /// Creates an error from one of a read.
  init(reading error: any Error) {
    switch error {
    case let failure as PostgresFailure: self.init(failure)
    case let damage as DamagedData: self = .damaged(damage.reason)
    default: self = .unavailable("\(error)")
    }
  }
}
