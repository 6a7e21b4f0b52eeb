package import GRDB

/// The connections to a store's database: a pool of them, or a single one in a simulation.
package protocol StoreConnections: AnyObject, Sendable {
  var path: String { get }

  /// Reads in one view.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value

  /// Reads later in one view.
  func asyncRead(_ body: @escaping @Sendable (Result<Database, any Error>) -> Void)

  /// Works on the writer's connection once the work before is done.
  func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) rethrows -> Value

  /// Works later on the writer's connection.
  func asyncWriteWithoutTransaction(_ body: @escaping @Sendable (Database) -> Void)

  func close() throws
}

extension DatabasePool: StoreConnections {}
