import CSimdDOM

/// What a PUT costs by the way it is written, each to a collection of its own, by turns in one run.
enum Puts {
  /// A way of writing, with what was measured of it.
  private struct Row {
    let name: String
    let path: String
    var times: [Double] = []
    var processor: [Double] = []
  }

  static func run(_ options: Options) throws {
    print("| items | body, KB | PUT | ms | of minified | processor, ms | of minified |")
    print("|---:|---:|---|---:|---:|---:|---:|")
    for size in options.sizes {
      try run(size, options.rounds > 0 ? options.rounds : max(5, min(40, 200_000 / size)), options)
    }
  }

  private static func run(_ size: Int, _ rounds: Int, _ options: Options) throws {
    let server = try Server.ours(options.livedelta)
    defer { server.stop() }
    let connection = try Connection(port: server.port)
    defer { connection.close() }
    var rows = Writing.allCases.map { Row(name: $0.rawValue, path: "\($0)") }
    var first = Row(name: "the first of a collection", path: "")
    var refused = Row(name: "the first, received and refused unread", path: "")
    var (newParser, usedParser): ([Double], [Double]) = ([], [])
    var list = RandomList(count: size, seed: 7, title: "Item nümber")
    var random = SeededGenerator(state: 11)
    for round in 0...rounds {
      for (index, way) in Writing.allCases.enumerated() {
        let body = list.body(way, isOdd: round % 2 == 1, &random)
        try put(body, rows[index].path, &rows[index], connection, server)
      }
      let body = list.body
      try put(body, "first-\(round)", &first, connection, server)
      try refuse(body, &refused, connection, server)
      for isNew in [true, false] {
        let time = csd_parse(body, body.count, isNew ? 1 : 0)
        guard time >= 0 else { throw BenchmarkError(text: "simdjson refuses the body") }
        if isNew { newParser.append(time) } else { usedParser.append(time) }
      }
      list.change(onePercentOf: size)
    }
    let kilobytes = list.body.count / 1000
    let minified = (later(rows[0].times), later(rows[0].processor))
    for row in rows + [first, refused] {
      let (time, processor) = (later(row.times), later(row.processor))
      print(
        "| \(size) | \(kilobytes) | \(row.name) | \(text(time)) | \(text(time / minified.0)) |"
          + " \(text(processor)) | \(text(processor / minified.1)) |")
    }
    let dom = (later(newParser), later(usedParser))
    let processor = later(first.processor)
    // The median of differences: each is of two requests with the same body, one after the other.
    let read = later(zip(first.processor, refused.processor).map { $0 - $1 })
    print(
      "\nsimdjson's DOM of the minified body: \(text(dom.0)) ms with a new parser, \(text(dom.1))"
        + " with a used one. The first PUT takes \(text(processor / dom.0)) and"
        + " \(text(processor / dom.1)) times as much processor time; without what receiving and"
        + " refusing the same body takes, \(text(read)) ms: \(text(read / dom.0)) and"
        + " \(text(read / dom.1)) times.\n")
  }

  private static func put(
    _ body: [UInt8], _ name: String, _ row: inout Row, _ connection: Connection, _ server: Server
  ) throws {
    let answer = try measure(&row, server) {
      try connection.ask("PUT", "/v1/clients/bench/collections/\(name)", [], body)
    }
    guard 200...201 ~= answer.status else {
      throw BenchmarkError(text: "\(row.name): \(answer.head) \(answer.text)")
    }
  }

  /// Sends a body with a condition that cannot be read: it is received in full, then refused unread.
  private static func refuse(
    _ body: [UInt8], _ row: inout Row, _ connection: Connection, _ server: Server
  ) throws {
    let answer = try measure(&row, server) {
      try connection.ask(
        "PUT", "/v1/clients/bench/collections/refused", ["Collection-If-Version: none"], body)
    }
    guard answer.status == 400, answer.text.contains("bad-token") else {
      throw BenchmarkError(text: "\(row.name): \(answer.head) \(answer.text)")
    }
  }

  /// Notes the time of a request, and the processor time that the server takes for it.
  private static func measure(
    _ row: inout Row, _ server: Server, _ request: () throws -> Connection.Answer
  ) throws -> Connection.Answer {
    let before = server.processorMilliseconds
    let clock = ContinuousClock()
    let start = clock.now
    let answer = try request()
    row.times.append(start.duration(to: clock.now) / .milliseconds(1))
    row.processor.append(server.processorMilliseconds - before)
    return answer
  }

  /// The middle but for the first: that version is compared with nothing, and the server is cold.
  private static func later(_ values: [Double]) -> Double { median(Array(values.dropFirst())) }

  private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

/// A way of writing a list.
enum Writing: String, CaseIterable {
  case minified
  case spaced = "with spaces, as Python and Ruby write"
  case indented
  case reordered = "members in another order each time"
  case shuffled = "members in another order each time, item by item"
  case escaped = "other escapes each time"
  case moved = "the halves change places each time"
}

extension RandomList {
  /// The body of a PUT, written in a way that differs from the one before.
  func body(_ way: Writing, isOdd: Bool, _ random: inout SeededGenerator) -> [UInt8] {
    var items = items.map(members)
    var (comma, colon, indent) = (",", ":", "")
    switch way {
    case .minified: break
    case .spaced: (comma, colon) = (", ", ": ")
    case .indented: (comma, colon, indent) = (",\n        ", ": ", "\n      ")
    case .reordered:
      let order = (0..<5).shuffled(using: &random)
      items = items.map { item in order.map { item[$0] } }
    case .shuffled: items = items.map { $0.shuffled(using: &random) }
    case .escaped where isOdd:
      items = items.map { item in
        item.map { (name: $0.name, value: $0.value.replacing("ü", with: "\\u00fc")) }
      }
    case .moved where isOdd:
      items = Array(items[(items.count / 2)...] + items[..<(items.count / 2)])
    case .escaped, .moved: break
    }
    let texts = items.map { item in
      indent + "{" + (indent.isEmpty ? "" : indent + "  ")
        + item.map { "\"\($0.name)\"\(colon)\($0.value)" }.joined(separator: comma) + indent + "}"
    }
    let separator = indent.isEmpty ? comma : ","
    let head = ["\"id\"\(colon)\"all\"", "\"title\"\(colon)\"All\"", "\"items\"\(colon)["]
    return Array(
      ("{\"sections\"\(colon)[{" + head.joined(separator: separator)
        + texts.joined(separator: separator) + "]}]}").utf8)
  }
}
