import CPostgres
import Glibc

/// A connection to PostgreSQL.
///
/// Calls block until the database has answered, at most `timeoutMilliseconds` without progress: use
/// it on a queue of its own, never on an event loop or one of Swift's threads. After a failure that
/// `isLost` it must be discarded.
///
/// `@unchecked Sendable`: it is used on one queue at a time.
final class PostgresConnection: @unchecked Sendable {
  private let handle: OpaquePointer
  private let timeoutMilliseconds: Int32
  /// Whether the server has said that it ends the session.
  private var isEnding = false
  private var lastAnswer = ContinuousClock.now

  /// Connects.
  ///
  /// - Parameters:
  ///   - conninfo: A connection string or URI, passed to libpq as it is; what it leaves out is
  ///     taken from the environment.
  ///   - isReadOnly: Whether any server will do, or only one that takes writes.
  ///   - connectSeconds: The longest time to connect, unless the string has another.
  ///   - timeoutMilliseconds: The longest time to wait for progress.
  /// - Throws: The failure, which `isLost`.
  init(
    _ conninfo: String, isReadOnly: Bool = false, connectSeconds: Int, timeoutMilliseconds: Int32
  ) throws(PostgresFailure) {
    try Self.check(conninfo)
    // What the string says takes precedence over what is before it.
    let defaults = [
      ("application_name", "livedelta"), ("connect_timeout", "\(connectSeconds)"),
      ("target_session_attrs", isReadOnly ? "any" : "read-write"), ("dbname", conninfo),
    ]
    let texts = defaults.flatMap { [strdup($0.0), strdup($0.1)] }
    defer { for text in texts { free(text) } }
    var keys: [UnsafePointer<CChar>?] = []
    var values: [UnsafePointer<CChar>?] = []
    for index in stride(from: 0, to: texts.count, by: 2) {
      keys.append(UnsafePointer(texts[index]))
      values.append(UnsafePointer(texts[index + 1]))
    }
    keys.append(nil)
    values.append(nil)
    guard let handle = PQconnectdbParams(keys, values, 1) else {
      throw PostgresFailure(state: "", text: "no memory for a connection")
    }
    guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
      let failure = PostgresFailure(state: "", text: Self.message(handle))
      PQfinish(handle)
      throw failure
    }
    self.handle = handle
    self.timeoutMilliseconds = timeoutMilliseconds
    // Notices of the server would otherwise be printed. What ends an idle session is one of them.
    // Unretained: the connection outlives the handle, which alone calls this.
    let context = Unmanaged.passUnretained(self).toOpaque()
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context, let result, PostgresConnection.isEnd(result) else { return }
        Unmanaged<PostgresConnection>.fromOpaque(context).takeUnretainedValue().isEnding = true
      }, context)
  }

  deinit { PQfinish(handle) }

  /// Checks a connection string before libpq does, whose errors quote it: with a password that has a
  /// byte which is not percent-encoded, also that.
  private static func check(_ conninfo: String) throws(PostgresFailure) {
    let options = PQconninfoParse(conninfo, nil)
    defer { PQconninfoFree(options) }
    var option = options
    search: while let next = option, let keyword = next.pointee.keyword {
      let value = next.pointee.val.map { String(cString: $0) } ?? ""
      // What follows an unencoded mark in a password is taken for the host or the port.
      switch String(cString: keyword) {
      case "port" where !value.allSatisfy({ $0.isNumber || $0 == "," }): break search
      case "host" where value.dropFirst().contains("@"): break search
      default: break
      }
      option = next + 1
    }
    guard let option, option.pointee.keyword == nil else {
      throw PostgresFailure(
        state: "",
        text: "the connection string is not postgres://USER:PASSWORD@HOST:PORT/DATABASE, with what "
          + "is no letter or digit percent-encoded; it is not shown, for it may have a password")
    }
  }

  /// The socket, to wait for notifications.
  var socket: Int32 { PQsocket(handle) }

  /// Whether an idle connection still is one.
  ///
  /// A server that ends a session sends a fatal error before it closes the connection, so that the end of what there is
  /// to read comes second, and may come later. Whoever else closes it, a proxy or a router, may not say so at all: after
  /// a second without an answer the server is asked for one.
  var isAlive: Bool {
    guard readsNoEnd else { return false }
    if ContinuousClock.now - lastAnswer < Self.trustedSilence { return true }
    do throws(PostgresFailure) {
      try run("SELECT 1")
      return true
    } catch {
      return false
    }
  }

  private static let trustedSilence = Duration.seconds(1)

  /// Reads all that has arrived; false if the connection ends with it.
  private var readsNoEnd: Bool {
    var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, 0) > 0 {
      guard PQconsumeInput(handle) == 1 else { return false }
      // Parses it, and passes notices on.
      _ = PQisBusy(handle)
    }
    return PQstatus(handle) == CONNECTION_OK && !isEnding
  }

  private static func message(_ handle: OpaquePointer) -> String {
    let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    let lines = text.split(whereSeparator: \.isNewline)
    return lines.isEmpty ? "the connection was lost" : lines.joined(separator: "; ")
  }

  private var lost: PostgresFailure {
    PostgresFailure(state: "", text: Self.message(handle))
  }

  // MARK: Statements

  @discardableResult
  func run(
    _ sql: String, _ values: [PostgresValue] = []
  ) throws(PostgresFailure) -> PostgresRows {
    try send(PostgresStatement(sql: sql, values: values))
    try flush()
    var rows: PostgresRows?
    var failure: PostgresFailure?
    while let result = try next() {
      failure = failure ?? Self.failure(result)
      rows = PostgresRows(result)
    }
    lastAnswer = .now
    if let failure { throw failure }
    guard let rows else { throw lost }
    return rows
  }

  /// Executes statements in one round trip: in a transaction of their own, unless one is under way or
  /// they begin one.
  ///
  /// - Returns: The rows of the last one.
  func run(_ statements: [PostgresStatement]) throws(PostgresFailure) -> PostgresRows {
    var progress = Progress()
    try pipeline([statements], &progress)
    if let failure = progress.outcomes[0].failure { throw failure }
    guard let rows = progress.outcomes[0].rows else { throw lost }
    return rows
  }

  var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

  /// Executes transactions in one round trip, each of which succeeds as a whole or not at all.
  ///
  /// The server commits a transaction when it reads the synchronization point after it. If that was
  /// never sent, or an error of the transaction came before the connection was lost, or the server
  /// ended the session before it had executed all statements, nothing was written.
  ///
  /// - Parameter transactions: The statements of each.
  /// - Returns: What became of each, and the failure that lost the connection, if it is lost.
  func commit(
    _ transactions: [[PostgresStatement]]
  ) -> (fates: [TransactionFate], loss: PostgresFailure?) {
    var progress = Progress()
    var loss: PostgresFailure?
    do throws(PostgresFailure) {
      try pipeline(transactions, &progress)
    } catch {
      loss = error
    }
    let lost = loss ?? self.lost
    let fates = transactions.indices.map { index -> TransactionFate in
      if index < progress.outcomes.count {
        progress.outcomes[index].failure.map { .failed($0) } ?? .committed
      } else {
        index < progress.committableCount ? .unknown(lost) : .failed(lost)
      }
    }
    return (fates, loss)
  }

  /// What became of the statements up to a synchronization point: how many succeeded, and the rows of the last one.
  private typealias Outcome = (failure: PostgresFailure?, rows: PostgresRows?, doneCount: Int)

  /// How far a pipeline has come.
  private struct Progress {
    /// The transactions that the server may commit: their synchronization point may have been sent, and it has not ended
    /// the session before.
    var committableCount = 0
    /// What became of the first ones.
    var outcomes: [Outcome] = []
  }

  private func pipeline(
    _ transactions: [[PostgresStatement]], _ progress: inout Progress
  ) throws(PostgresFailure) {
    guard PQenterPipelineMode(handle) == 1 else { throw lost }
    for statements in transactions {
      // What is sent between two synchronization points is one transaction.
      for statement in statements { try send(statement) }
      // Fails only while some of what was to be sent is still here.
      guard PQpipelineSync(handle) == 1 else { throw lost }
      progress.committableCount += 1
    }
    do throws(PostgresFailure) {
      try flush()
    } catch {
      // The end of the last one is still here.
      progress.committableCount -= 1
      throw error
    }
    for (index, statements) in transactions.enumerated() {
      let outcome = try outcome()
      if let failure = outcome.failure, failure.isLost {
        if failure.isFatal {
          progress.committableCount = outcome.doneCount < statements.count ? index : index + 1
        }
        throw failure
      }
      progress.outcomes.append(outcome)
    }
    lastAnswer = .now
    guard PQexitPipelineMode(handle) == 1 else { throw lost }
  }

  /// Reads the results up to the next synchronization point.
  private func outcome() throws(PostgresFailure) -> Outcome {
    var outcome: Outcome = (nil, nil, 0)
    do throws(PostgresFailure) {
      try readResults(&outcome)
    } catch {
      // The statements after one that failed are not executed, whatever becomes of the connection.
      guard outcome.failure != nil else { throw error }
    }
    return outcome
  }

  private func readResults(_ outcome: inout Outcome) throws(PostgresFailure) {
    var emptyCount = 0
    while true {
      guard let result = try next() else {
        // One follows the results of each statement; more than one means that nothing comes.
        emptyCount += 1
        guard emptyCount < 3 else { throw lost }
        continue
      }
      emptyCount = 0
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC {
        PQclear(result)
        return
      }
      let failure = Self.failure(result)
      if failure == nil { outcome.doneCount += 1 }
      outcome.failure = outcome.failure ?? failure
      outcome.rows = PostgresRows(result)
    }
  }

  private static func failure(_ result: OpaquePointer) -> PostgresFailure? {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return nil
    case PGRES_PIPELINE_ABORTED:
      return PostgresFailure(state: "25P02", text: "an earlier statement failed")
    default:
      // Codes of other libraries' errors have no SQLSTATE: the connection is then useless.
      return PostgresFailure(
        state: field("C", of: result) ?? "",
        text: field("M", of: result) ?? "the connection was lost",
        constraint: field("n", of: result),
        column: field("c", of: result).map { "\(field("t", of: result) ?? "").\($0)" },
        isFatal: isEnd(result))
    }
  }

  /// Whether the server ends the session with what it says.
  private static func isEnd(_ result: OpaquePointer) -> Bool {
    ["FATAL", "PANIC"].contains(field("V", of: result))
  }

  private static func field(_ letter: Unicode.Scalar, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(letter.value)).map { String(cString: $0) }
  }

  private func send(_ statement: PostgresStatement) throws(PostgresFailure) {
    var buffer: [UInt8] = []
    buffer.reserveCapacity(statement.byteCount + statement.values.count * 24)
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    var formats: [Int32] = []
    for value in statement.values {
      let start = buffer.count
      switch value {
      case .null: break
      case .text(let text): buffer += text.utf8
      case .number(let number): buffer += "\(number)".utf8
      case .bytes(let bytes): buffer += bytes
      }
      if case .bytes = value { formats.append(1) } else { formats.append(0) }
      if case .null = value { offsets.append(nil) } else { offsets.append(start) }
      lengths.append(Int32(clamping: buffer.count - start))
      buffer.append(0)
    }
    let isSent = buffer.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
      return PQsendQueryParams(
        handle, statement.sql, Int32(values.count), nil, values, lengths, formats, 1) == 1
    }
    guard isSent else { throw lost }
  }

  // MARK: Waiting

  private func flush() throws(PostgresFailure) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1: break
      default: throw lost
      }
      // The server may want to send before it takes more.
      if try wait(for: POLLIN | POLLOUT) & POLLIN != 0, PQconsumeInput(handle) != 1 { throw lost }
    }
  }

  /// The next result; nil after the last one of a statement.
  private func next() throws(PostgresFailure) -> OpaquePointer? {
    while PQisBusy(handle) == 1 {
      _ = try wait(for: POLLIN)
      guard PQconsumeInput(handle) == 1 else { throw lost }
    }
    return PQgetResult(handle)
  }

  private func wait(for events: Int32) throws(PostgresFailure) -> Int32 {
    var event = pollfd(fd: socket, events: Int16(events), revents: 0)
    while true {
      let count = poll(&event, 1, timeoutMilliseconds)
      if count > 0 { return Int32(event.revents) }
      guard count < 0, errno == EINTR else { break }
    }
    throw PostgresFailure(state: "", text: "no answer in \(timeoutMilliseconds) ms")
  }

  // MARK: Notifications

  /// Takes the payloads of the notifications of others that have arrived.
  func notifications() throws(PostgresFailure) -> [String] {
    guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { throw lost }
    var payloads: [String] = []
    while let notice = PQnotifies(handle) {
      if notice.pointee.be_pid != PQbackendPID(handle) {
        payloads.append(String(cString: notice.pointee.extra))
      }
      PQfreemem(notice)
    }
    return payloads
  }
}
