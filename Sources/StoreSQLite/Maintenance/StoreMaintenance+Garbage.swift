import Dispatch
import GRDB
import Synchronization
import VersionedCollections

extension StoreMaintenance {
  /// Records that a collection was deleted.
  func noteDeleted(_ id: Int64) {
    state.withLock { state in
      state.demand.forget(id)
      state.hasGarbage = true
    }
  }

  /// Ends the sets of parts of a write; if they were not written, they are garbage.
  func end(_ sets: [Int64], isWritten: Bool) {
    if sets.isEmpty { return }
    partSets.end(sets)
    if !isWritten { state.withLock { $0.hasGarbage = true } }
  }

  /// Deletes one piece of garbage, if there is any; the next piece follows after the group of
  /// writes that contains this one.
  func clearGarbage() {
    let isFirst = state.withLock { state in
      guard state.hasGarbage, !state.isClearing else { return false }
      state.hasGarbage = false
      state.isClearing = true
      return true
    }
    guard isFirst else { return }
    submit({ tables in
      if try tables.clearGarbage(except: self.partSets.underWay) {
        self.state.withLock { $0.hasGarbage = true }
      }
    }) { failure in
      self.state.withLock { state in
        state.isClearing = false
        // Try the rest after the next sweep.
        if failure != nil { state.hasGarbage = false }
      }
      self.report(failure, .cleanup, "garbage was not cleared away")
    }
  }

  // MARK: Old requests

  /// Deletes old records of a ledger after a new one was added.
  func note(ledger: Int64, number: Int) {
    guard number > options.requestsMax, number % 100 == 0 else { return }
    submit({ try $0.trim(ledger: ledger, through: number - self.options.requestsMax) }) {
      self.report($0, .cleanup, "old requests were not deleted")
    }
  }

  /// Deletes expired records of some ledgers, once a minute.
  func sweep() {
    queue.asyncAfter(deadline: .now() + 60) { [weak self] in
      guard let self, !isStopped else { return }
      do {
        try sweepLedgers()
      } catch {
        report(StoreError(error), .cleanup, "old requests were not looked for")
      }
      state.withLock { $0.hasGarbage = true }
      clearGarbage()
      sweep()
    }
  }

  /// Deletes expired records of the next thousand ledgers.
  func sweepLedgers() throws {
    let cursor = state.withLock { $0.ledgerCursor }
    let ledgers = try pool.read {
      try Int64.fetchAll(
        $0, sql: "SELECT id FROM ledger WHERE id > ? ORDER BY id LIMIT 1000", arguments: [cursor])
    }
    state.withLock { $0.ledgerCursor = ledgers.last ?? 0 }
    let oldest = options.date() - options.requestSeconds
    if ledgers.isEmpty { return }
    submit({ tables in
      for ledger in ledgers { try tables.trim(ledger: ledger, before: oldest) }
    }) { self.report($0, .cleanup, "old requests were not deleted") }
  }
}

extension StoreTables {
  fileprivate func trim(ledger: Int64, through number: Int) throws {
    try run("DELETE FROM request WHERE ledger = ? AND number <= ?", [ledger, number])
  }

  /// Numbers ascend with dates, so old records come first.
  fileprivate func trim(ledger: Int64, before date: Int64) throws {
    try run("DELETE FROM request WHERE ledger = ? AND date < ?", [ledger, date])
    try run(
      "DELETE FROM ledger WHERE id = ? AND NOT EXISTS (SELECT 1 FROM request WHERE ledger = ?)",
      [ledger, ledger])
  }
}
