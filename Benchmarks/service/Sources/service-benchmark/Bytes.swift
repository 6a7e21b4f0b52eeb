import Foundation

/// How many bytes an update takes, in each form that it may be sent in.
enum Bytes {
  private static let path = "/v1/clients/bench/collections/list"
  private static let dialects = ["staged", "ops", "splice", "diffable", "json-patch"]

  /// Each dialect, and where it has items, with merge patches of them.
  private static let forms: [(name: String, query: String)] = dialects.flatMap { dialect in
    let whole = [(dialect, dialect)]
    if dialect == "json-patch" { return whole }
    return whole + [("\(dialect), items=patch", "\(dialect)&items=patch")]
  }

  /// The items of a delta that the version before does not have, as JSON: what no patch makes shorter.
  private static func newItems(_ delta: [UInt8], after old: [UInt8]) throws -> [UInt8] {
    func object(_ bytes: [UInt8]) throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
    }
    let sections = try object(old)["sections"] as? [[String: Any]] ?? []
    let items = sections.flatMap { $0["items"] as? [[String: Any]] ?? [] }
    let ids = Set(items.compactMap { $0["id"].map { "\($0)" } })
    let entries = try object(delta)["items"] as? [String: Any] ?? [:]
    return Array(
      try JSONSerialization.data(
        withJSONObject: entries.filter { !ids.contains($0.key) }.map(\.value),
        options: [.sortedKeys, .withoutEscapingSlashes]))
  }

  static func run(_ options: Options) throws {
    let versions = try Versions.load(options.data)
    let server = try Server.ours(options.livedelta)
    defer { server.stop() }
    let connection = try Connection(port: server.port)
    defer { connection.close() }
    var rows: [(name: String, sizes: [Int])] = []
    func add(_ name: String, _ size: Int) {
      if let index = rows.firstIndex(where: { $0.name == name }) {
        rows[index].sizes.append(size)
      } else {
        rows.append((name, [size]))
      }
    }
    var since = ""
    var old: [UInt8] = []
    for body in versions.bodies {
      let receipt = try connection.ask("PUT", path, [], body)
      guard 200...201 ~= receipt.status else { throw BenchmarkError(text: receipt.text) }
      let version = member("version", receipt.text)
      defer { (since, old) = (version, body) }
      // What differs only in what the service does not compare is no update.
      if since.isEmpty || since == version { continue }
      let snapshot = try connection.ask("GET", path).body
      add("whole snapshot", snapshot.count)
      add("whole snapshot, gzip", try Tool.gzip(snapshot))
      for form in forms {
        let delta = "\(path)/delta?since=\(since)&dialect=\(form.query)"
        let plain = try connection.ask("GET", delta)
        guard !plain.text.hasPrefix("{\"kind\":\"snapshot\"") else {
          throw BenchmarkError(text: "no delta: \(plain.head)")
        }
        add(form.name, plain.body.count)
        add("\(form.name), gzip", try Tool.gzip(plain.body))
        add(
          "\(form.name), as sent",
          try connection.ask("GET", delta, ["Accept-Encoding: gzip"]).body.count)
        if form.query == dialects[0] {
          add("new items alone, gzip", try Tool.gzip(newItems(plain.body, after: old)))
        }
      }
      if Tool.hasZstd { add("zstd -19 --patch-from", try Tool.zstd(body, from: old)) }
    }
    report(rows, versions)
  }

  private static func member(_ name: String, _ text: String) -> String {
    guard let start = text.firstRange(of: "\"\(name)\":\"")?.upperBound else { return "" }
    return String(text[start...].prefix { $0 != "\"" })
  }

  private static func report(_ rows: [(name: String, sizes: [Int])], _ versions: Versions) {
    let count = rows.first?.sizes.count ?? 0
    print("\(versions.name): \(count) updates; bytes an update, and of the snapshot in gzip")
    print("\n| sent | mean | median | last 39, mean | of the snapshot, gzip |")
    print("|---|---:|---:|---:|---:|")
    func mean(_ sizes: some Collection<Int>) -> Int { sizes.reduce(0, +) / max(1, sizes.count) }
    let whole = rows.first { $0.name == "whole snapshot, gzip" }.map { mean($0.sizes) } ?? 1
    for row in rows {
      let average = mean(row.sizes)
      let share = String(format: "%.1f %%", Double(average) * 100 / Double(whole))
      print(
        "| \(row.name) | \(average) | \(median(row.sizes)) | \(mean(row.sizes.suffix(39))) | \(share) |"
      )
    }
    if !Tool.hasZstd { print("\nzstd is not installed: no figures of --patch-from.") }
  }
}

/// The versions that are written one after the other.
struct Versions {
  var name: String
  var bodies: [[UInt8]]

  /// Reads the real data; without it, makes versions up.
  static func load(_ directory: String) throws -> Versions {
    let file = directory + "/awesome-swift.ndjson.gz"
    guard FileManager.default.fileExists(atPath: file) else { return generated() }
    let text = String(decoding: try Tool.run("gzip", ["-dc", file]), as: UTF8.self)
    let bodies = text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "\"sections\":").map { Array("{\(line[$0.lowerBound...])".utf8) }
    }
    return Versions(name: "The Awesome Swift list", bodies: bodies)
  }

  private static func generated() -> Versions {
    var list = RandomList(count: 500, seed: 1)
    let bodies = (0..<41).map { _ in
      defer { list.change(onePercentOf: 500) }
      return list.body
    }
    return Versions(name: "A generated list of 500 items, 1 % changed", bodies: bodies)
  }
}

/// Programs that compress.
enum Tool {
  static let hasZstd = FileManager.default.isExecutableFile(atPath: "/usr/bin/zstd")

  static func gzip(_ bytes: [UInt8]) throws -> Int {
    try inFile(bytes, "new") { try run("gzip", ["-6", "-nc", $0]).count }
  }

  static func zstd(_ bytes: [UInt8], from old: [UInt8]) throws -> Int {
    try inFile(old, "old") { old in
      try inFile(bytes, "new") { try run("zstd", ["-19", "-qc", "--patch-from=\(old)", $0]).count }
    }
  }

  private static func inFile<R>(
    _ bytes: [UInt8], _ name: String, _ body: (String) throws -> R
  ) throws -> R {
    let path = NSTemporaryDirectory() + "livedelta-\(getpid())-\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
  }

  static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkError(text: "\(program) ended with \(process.terminationStatus)")
    }
    return data
  }
}
