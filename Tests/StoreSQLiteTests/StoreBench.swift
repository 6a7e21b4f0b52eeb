import CollectionService
import Foundation
import GRDB
import StoreSQLite
import TestSupport
import Testing
import VersionedCollections

/// A service over a store on disk that can be closed and opened again.
final class StoreBench {
  let directory: String
  private(set) var store: SQLiteStore
  private(set) var bench: ServiceBench
  var options: StoreOptions
  var limits: ServiceLimits
  /// What went wrong in the store and the services over it.
  let faults = FaultRecorder()
  private var opened: UInt64
  private let encoders: AnswerEncoders

  init(
    limits: ServiceLimits = ServiceLimits(), seed: UInt64 = 1, encoders: AnswerEncoders = .plain,
    _ configure: (inout StoreOptions) -> Void = { _ in }
  ) throws {
    directory =
      FileManager.default.temporaryDirectory
      .appending(path: "livedelta-store-\(UUID())").path
    self.limits = limits
    self.encoders = encoders
    options = StoreOptions(limits)
    options.date = { 1_750_000_000 }
    options.faults = faults.record
    configure(&options)
    opened = seed << 16
    store = try SQLiteStore(directory: directory, options: options)
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
  }

  var database: String { directory + "/livedelta.sqlite" }

  /// Closes the store in order, and opens it again under a new service.
  func restart() throws {
    store.close()
    try open()
  }

  /// A connection of the test's own, which waits while the store writes.
  func queue() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    return try DatabaseQueue(path: database, configuration: configuration)
  }

  /// Opens what a process leaves that ends without closing: the files as they are now.
  func crash() throws {
    let copy = directory + "-crash"
    // While somebody reads, the log does not begin anew between the copies of its files.
    let reader = try queue()
    try reader.inDatabase { db in
      try db.inTransaction(.deferred) {
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        try FileManager.default.copyItem(atPath: directory, toPath: copy)
        return .rollback
      }
    }
    try reader.close()
    store.close()
    try FileManager.default.removeItem(atPath: directory)
    try FileManager.default.moveItem(atPath: copy, toPath: directory)
    try open()
  }

  func open() throws {
    let date = bench.date.value
    opened += 1
    options.date = { Int64(date) }
    store = try SQLiteStore(directory: directory, options: options)
    bench = ServiceBench(
      limits: limits, store: store, encoders: encoders, seed: opened, faults: faults.record)
    bench.date.value = date
  }

  /// Opens the same directory for a copy from it or to it; the service's store is to be closed.
  func storeForCopy(isSource: Bool) throws -> SQLiteStore {
    var options = StoreOptions()
    let date = bench.date
    options.date = { Int64(date.value) }
    options.faults = faults.record
    return try SQLiteStore(directory: directory, options: options.forCopy(isSource: isSource))
  }

  /// The number of rows of a table; a condition may follow its name.
  func count(_ table: String) throws -> Int {
    try queue().read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0
    }
  }

  /// Returns once all is cleared away that nobody uses.
  func untilCleared() async throws {
    try await until { try count("unused_parts") + count("garbage") == 0 }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }
}

extension ServiceBench {
  func edit(_ edits: String, _ key: CollectionKey? = nil) async throws -> WriteReceipt {
    try await write(WriteRequest(.edit(body: Array("{\"edits\":[\(edits)]}".utf8))), key)
  }

  func configure(_ settings: String, _ key: CollectionKey? = nil) async throws -> WriteReceipt {
    try await write(WriteRequest(.settings(body: Array(settings.utf8), isPatch: false)), key)
  }
}

/// Bodies of random writes, about items of twelve ids.
enum RandomBody {
  /// One edit, in the given step of a test.
  static func edit(_ step: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let id = Int.random(in: 0..<12, using: &random)
    let edits = [
      #"{"op":"reload","ids":["\#(id)"]}"#,
      #"{"op":"delete","ids":["\#(id)"],"missing":"ignore"}"#,
      #"{"op":"merge","id":"\#(id)","value":{"v":\#(step)}}"#,
      #"{"op":"move","ids":["\#(id)"],"section":"s0","first":true}"#,
    ]
    let edit = edits.randomElement(using: &random) ?? edits[0]
    return Array("{\"edits\":[\(edit)]}".utf8)
  }

  /// A snapshot of up to three sections.
  static func snapshot(_ random: inout SeededGenerator) -> [UInt8] {
    var ids = Array(0..<12)
    ids.shuffle(using: &random)
    var sections: [String] = []
    for section in 0..<Int.random(in: 1...3, using: &random) {
      var items: [String] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) where !ids.isEmpty {
        let list = (0..<Int.random(in: 0...3, using: &random)).map { "{\"id\":\"e\($0)\"}" }
        items.append(
          """
          {"id":"\(ids.removeLast())","v":\(Int.random(in: 0..<3, using: &random)),\
          "at":\(Int.random(in: 0..<9, using: &random)),"list":[\(list.joined(separator: ","))]}
          """)
      }
      let title = Int.random(in: 0..<2, using: &random)
      sections.append(
        "{\"id\":\"s\(section)\",\"t\":\(title),\"items\":[\(items.joined(separator: ","))]}")
    }
    let meta = Bool.random(using: &random) ? ",\"meta\":{\"p\":\(ids.count)}" : ""
    return Array("{\"sections\":[\(sections.joined(separator: ","))]\(meta)}".utf8)
  }
}
