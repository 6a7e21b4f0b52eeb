import CPostgres

/// A connection of a test's own, which may hold a transaction open.
final class PostgresSession {
  /// What the server says.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: OpaquePointer

  init(_ uri: String) throws {
    guard let handle = PQconnectdb(uri) else { throw Failure(description: "no memory") }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else { throw failure }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  private var failure: Failure {
    Failure(description: PQerrorMessage(handle).map { String(cString: $0) } ?? "")
  }

  /// Executes statements, and waits for their end.
  ///
  /// - Returns: The rows of all, each with bars between its values.
  @discardableResult
  func run(_ text: String) throws -> [String] {
    guard PQsendQuery(handle, text) == 1 else { throw failure }
    var rows: [String] = []
    var failure: Failure?
    while let result = PQgetResult(handle) {
      defer { PQclear(result) }
      for row in 0..<PQntuples(result) {
        let values = (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
        rows.append(values.joined(separator: "|"))
      }
      let status = PQresultStatus(result)
      if status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK { failure = self.failure }
    }
    if let failure { throw failure }
    return rows
  }
}
