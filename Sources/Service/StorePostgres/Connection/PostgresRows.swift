import CPostgres
import VersionedCollections

enum PostgresValue: Sendable {
  case null
  case text(String)
  case number(Int)
  case bytes([UInt8])

  init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .null }
}

/// A statement with its parameters, `$1` and so on.
struct PostgresStatement: Sendable {
  var sql: String
  var values: [PostgresValue] = []

  /// The approximate size in bytes.
  var byteCount: Int {
    values.reduce(sql.utf8.count) { count, value in
      switch value {
      case .bytes(let bytes): count + bytes.count
      case .text(let text): count + text.utf8.count
      case .null, .number: count + 8
      }
    }
  }
}

/// The rows of a result, in binary format.
///
/// Conversions throw `DamagedData` if a value is null or of another type than expected.
final class PostgresRows {
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  /// The bytes of a value; nil if it is null.
  func optionalBytes(_ row: Int, _ column: Int) -> [UInt8]? {
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column)
    else { return nil }
    let count = Int(PQgetlength(result, row, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func bytes(_ row: Int, _ column: Int) throws(DamagedData) -> [UInt8] {
    guard let bytes = optionalBytes(row, column) else {
      throw DamagedData("column \(column) has no value")
    }
    return bytes
  }

  func text(_ row: Int, _ column: Int) throws(DamagedData) -> String {
    String(decoding: try bytes(row, column), as: UTF8.self)
  }

  func number(_ row: Int, _ column: Int) throws(DamagedData) -> Int {
    guard let number = try optionalNumber(row, column) else {
      throw DamagedData("column \(column) has no value")
    }
    return number
  }

  /// A number; nil if it is null.
  func optionalNumber(_ row: Int, _ column: Int) throws(DamagedData) -> Int? {
    guard let bytes = optionalBytes(row, column) else { return nil }
    guard bytes.count == 8 else { throw DamagedData("column \(column) is no number") }
    return Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// A collection by two columns, its client and its name; nil if one of them is damaged.
  func key(_ row: Int, _ column: Int) throws(DamagedData) -> CollectionKey? {
    guard let client = ResourceName(try text(row, column)),
      let name = ResourceName(try text(row, column + 1))
    else { return nil }
    return CollectionKey(client: client, name: name)
  }

  func version(_ row: Int, _ column: Int) throws(DamagedData) -> VersionToken {
    guard let version = VersionToken(try bytes(row, column)) else {
      throw DamagedData("the version is none")
    }
    return version
  }
}
