import VersionedCollections

/// A read; completes with an error if there is no connection.
///
/// Returns the failure if the connection was lost.
typealias PostgresRead = @Sendable (Result<PostgresTables, StoreError>) -> PostgresFailure?

extension PostgresPool where Work == PostgresRead {
  func submit<T: Sendable>(
    _ body: @escaping @Sendable (PostgresTables) throws -> T,
    completion: @escaping StoreCompletion<T>
  ) {
    submit { tables in
      switch tables {
      case .failure(let error): completion(.failure(error))
      case .success(let tables):
        do {
          completion(.success(try body(tables)))
        } catch {
          completion(.failure(StoreError(reading: error)))
          if let failure = error as? PostgresFailure, failure.isLost { return failure }
        }
      }
      return nil
    }
  }
}
