import Dispatch
import GRDB
import Synchronization
import VersionedCollections

extension StoreMaintenance {
  /// Records that there may be garbage, which is cleared away after the next group of writes.
  func noteGarbage() { state.withLock { $0.hasGarbage = true } }

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
    submit(
      frees: true,
      { tables in
        if try tables.clearGarbage(except: self.partSets.underWay) { self.noteGarbage() }
      }
    ) { failure in
      self.state.withLock { state in
        state.isClearing = false
        // Try the rest after the next sweep.
        if failure != nil { state.hasGarbage = false }
      }
      self.report(failure, .cleanup, "data that is no longer needed was not deleted")
    }
  }

  /// Deletes expired records of some ledgers, once a minute.
  func sweep() {
    queue.after(seconds: 60) { [weak self] in
      guard let self, !isStopped else { return }
      do throws(StoreError) {
        try sweepLedgers()
      } catch {
        report(error, .cleanup, "old requests were not looked for")
      }
      noteGarbage()
      clearGarbage()
      sweep()
    }
  }

  /// Deletes expired records of the next thousand ledgers.
  func sweepLedgers() throws(StoreError) {
    let cursor = state.withLock { $0.ledgerCursor }
    let ledgers = try read { tables in
      try tables.rows("SELECT id FROM ledger WHERE id > ? ORDER BY id LIMIT 1000", [cursor])
        .map { try $0.decode(Int64.self, atIndex: 0) }
    }
    state.withLock { $0.ledgerCursor = ledgers.last ?? 0 }
    if ledgers.isEmpty { return }
    let oldest = options.durable.oldestRequestDate
    submit({ tables in
      for ledger in ledgers { try tables.trim(ledger: ledger, before: oldest) }
    }) { self.report($0, .cleanup, "old requests were not deleted") }
  }
}
