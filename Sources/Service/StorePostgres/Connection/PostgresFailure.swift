import VersionedCollections

struct PostgresFailure: Error {
  /// The SQLSTATE; empty if the connection failed.
  var state: String
  var text: String
  var constraint: String?
  /// The column that may not be null, as TABLE.COLUMN, if that is what was violated.
  var column: String?
  /// Whether the server ended the session with it.
  var isFatal = false

  /// Whether the connection is unusable.
  ///
  /// If it was lost during a commit, the outcome is unknown; see `TransactionFate`.
  var isLost: Bool {
    isFatal || state.isEmpty || state.hasPrefix("08")
      || ["57P01", "57P02", "57P03"].contains(state)
  }

  /// The state of `PostgresWrite.demand`: `invalid_argument_for_width_bucket_function`.
  private static let conflictState = "2201G"

  /// Whether a head or a key is not the one that a transaction rests on; see `PostgresWrite`.
  ///
  /// Transactions that waited for each other, or that changed the same rows, count too: the service
  /// prepares them again. Anything else is a defect or an outage, which no repetition mends.
  fileprivate var isConflict: Bool {
    switch state {
    case Self.conflictState, "40001", "40P01": true
    case "23502": ["change.collection", "image.collection"].contains(column)
    case "23505": ["collection_client_name_key", "request_pkey"].contains(constraint)
    default: false
    }
  }
}

enum TransactionFate {
  case committed
  /// Nothing was written; if the connection was lost, the transaction can be executed on another one.
  case failed(PostgresFailure)
  /// The connection was lost when the server may have had all of it: it may be committed, or still
  /// be.
  case unknown(PostgresFailure)

  /// Whether another connection may commit it.
  var isRepeatable: Bool {
    if case .failed(let failure) = self { failure.isLost } else { false }
  }

  /// The result for whoever wanted it committed.
  var result: Result<Void, StoreError> {
    switch self {
    case .committed: .success(())
    case .failed(let failure): .failure(StoreError(failure))
    case .unknown(let failure): .failure(.unknown("PostgreSQL \(failure.state): \(failure.text)"))
    }
  }
}

extension StoreError {
  init(_ failure: PostgresFailure) {
    switch failure.state {
    case _ where failure.isConflict: self = .conflict
    case "53100": self = .full(failure.text)
    case "XX001", "XX002": self = .damaged(failure.text)
    default: self = .unavailable("PostgreSQL \(failure.state): \(failure.text)")
    }
  }

  init(reading error: any Error) {
    switch error {
    case let failure as PostgresFailure: self.init(failure)
    case let damage as DamagedData: self = .damaged(damage.reason)
    default: self = .unavailable("\(error)")
    }
  }
}
