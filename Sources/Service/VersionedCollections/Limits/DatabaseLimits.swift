/// The limits on the use of a database that replicas share.
public struct DatabaseLimits: Hashable, Sendable {
  /// Connections that read; two more write, one maintains and one listens.
  public var readersMax = 4
  /// Reads, and likewise writes, that wait for a connection; more are refused, and those that have
  /// waited for `answerSeconds`.
  public var queuedMax = 10_000
  /// The longest time to connect, in seconds; libpq takes 2 or more.
  public var connectSeconds = 2
  /// The longest time that a statement of a read or a write may take, in seconds; the database then
  /// cancels it.
  public var statementSeconds = 5
  /// The longest time without an answer, in seconds; the connection is then given up.
  ///
  /// The database cancels statements of maintenance that take longer.
  public var answerSeconds = 8

  /// Creates the default limits.
  public init() {}
}
