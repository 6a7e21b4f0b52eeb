import Foundation
import GRDB
import VersionedCollections

/// Idempotency records, by ledger: one per collection, also after its deletion, and one per client for
/// batches, with an empty collection.
extension StoreTables {
  /// Adds a record, and removes the oldest in excess of a number.
  func put(_ request: [UInt8], date: Int64, _ owner: RecordOwner, countMax: Int) throws {
    let ledger = try ledger(owner) ?? newLedger(owner)
    let last = try number(
      "SELECT number FROM request WHERE ledger = ? ORDER BY number DESC LIMIT 1", [ledger])
    let next = (last ?? 0) + 1
    try run(
      "INSERT INTO request (ledger, number, date, data) VALUES (?, ?, ?, ?)",
      [ledger, next, date, Data(request)])
    guard next > countMax else { return }
    try run(
      "DELETE FROM request WHERE ledger = ? AND number <= ?", [ledger, next - Int64(countMax)])
  }

  private func ledger(_ owner: RecordOwner) throws -> Int64? {
    try number(
      "SELECT id FROM ledger WHERE client = ? AND collection = ?", [owner.client, owner.collection])
  }

  private func newLedger(_ owner: RecordOwner) throws -> Int64 {
    try run(
      "INSERT INTO ledger (client, collection) VALUES (?, ?)", [owner.client, owner.collection])
    return db.lastInsertedRowID
  }

  func records(
    of client: ResourceName, _ collection: String, since date: Int64, countMax: Int
  ) throws -> [[UInt8]] {
    let owner = RecordOwner(client: client.text, collection: collection)
    guard let ledger = try ledger(owner) else { return [] }
    let newest = try rows(
      "SELECT data FROM request WHERE ledger = ? AND date >= ? ORDER BY number DESC LIMIT ?",
      [ledger, date, countMax])
    return try newest.reversed().map { Array(try $0.decode(Data.self, atIndex: 0)) }
  }

  func recordOwners(after owner: RecordOwner?, countMax: Int) throws -> [RecordOwner] {
    try rows(
      """
      SELECT client, collection FROM ledger WHERE (client, collection) > (?, ?)
      ORDER BY client, collection LIMIT ?
      """, [owner?.client ?? "", owner?.collection ?? "", countMax]
    ).map {
      RecordOwner(client: try $0.decode(atIndex: 0), collection: try $0.decode(atIndex: 1))
    }
  }

  /// Removes a ledger's records of before a date; they come first, because numbers ascend with dates.
  func trim(ledger: Int64, before date: Int64) throws {
    try run("DELETE FROM request WHERE ledger = ? AND date < ?", [ledger, date])
    try run(
      "DELETE FROM ledger WHERE id = ? AND NOT EXISTS (SELECT 1 FROM request WHERE ledger = ?)",
      [ledger, ledger])
  }
}
