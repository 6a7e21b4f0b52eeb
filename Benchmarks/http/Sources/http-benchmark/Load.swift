import Foundation

/// One way of loading a server, by wrk.
struct Load {
  let name: String
  let path: String
  let connections: Int
  var isPut = false
  var pipelines = 1

  static let all = [
    Load(name: "health, 1", path: "/health", connections: 1),
    Load(name: "document, 1", path: "/document", connections: 1),
    Load(name: "health, 64", path: "/health", connections: 64),
    Load(name: "document, 64", path: "/document", connections: 64),
    Load(name: "put, 64", path: "/put", connections: 64, isPut: true),
    Load(name: "document, 512", path: "/document", connections: 512),
    Load(name: "health, 64, pipelined", path: "/health", connections: 64, pipelines: 16),
    Load(name: "document, 64, pipelined", path: "/document", connections: 64, pipelines: 16),
  ]

  func isFor(_ server: Server) -> Bool { true }

  private var script: String? {
    if isPut { return "wrk.method = 'PUT'\nwrk.body = string.rep('x', 20000)\n" }
    guard pipelines > 1 else { return nil }
    return """
      init = function()
        local requests = {}
        for i = 1, \(pipelines) do requests[i] = wrk.format(nil, '\(path)') end
        all = table.concat(requests)
      end
      request = function() return all end
      """
  }

  func run(against server: Server, seconds: Int) throws -> Result {
    let before = server.processorSeconds
    let text = try wrk(server, seconds)
    let used = server.processorSeconds - before
    guard let rate = Self.number(after: "Requests/sec:", in: text),
      let total = Self.number(before: " requests in", in: text)
    else { throw BenchmarkError.noFigures(text) }
    return Result(
      rate: rate, p50: Self.microseconds(after: "  50%", in: text),
      p99: Self.microseconds(after: "  99%", in: text), processor: used / total * 1e6,
      hasErrors: text.contains("Socket errors") || text.contains("Non-2xx"))
  }

  private func wrk(_ server: Server, _ seconds: Int) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/wrk")
    process.arguments = [
      "-t\(min(2, connections))", "-c\(connections)", "-d\(seconds)s", "--latency",
      "http://127.0.0.1:\(server.port)\(path)",
    ]
    if let script {
      let file = NSTemporaryDirectory() + "livedelta-wrk.lua"
      try script.write(toFile: file, atomically: true, encoding: .utf8)
      process.arguments?.insert(contentsOf: ["-s", file], at: 0)
    }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private static func number(after label: String, in text: String) -> Double? {
    guard let range = text.range(of: label) else { return nil }
    return Double(text[range.upperBound...].split(whereSeparator: \.isWhitespace).first ?? "")
  }

  private static func number(before label: String, in text: String) -> Double? {
    guard let range = text.range(of: label) else { return nil }
    return Double(text[..<range.lowerBound].split(whereSeparator: \.isWhitespace).last ?? "")
  }

  private static func microseconds(after label: String, in text: String) -> Double {
    guard let range = text.range(of: label),
      let word = text[range.upperBound...].split(whereSeparator: \.isWhitespace).first
    else { return .nan }
    if word.hasSuffix("us") { return Double(word.dropLast(2)) ?? .nan }
    if word.hasSuffix("ms") { return (Double(word.dropLast(2)) ?? .nan) * 1e3 }
    return (Double(word.dropLast(1)) ?? .nan) * 1e6
  }
}

/// What one run of a load gave.
struct Result {
  /// Requests a second.
  var rate: Double
  /// Latencies in microseconds.
  var p50: Double
  var p99: Double
  /// Microseconds of processor time that the server took for a request.
  var processor: Double
  var hasErrors: Bool
}
