import CollectionService
import DeltaHTTP
import HTTP1
import SocketServer
import VersionedCollections

extension Settings {
  /// Creates the configuration of the service, without what has to be loaded.
  func configuration() throws -> DeltaServerConfiguration {
    var configuration = service
    let inherited = ListenAddress.inherited()
    configuration.listeners =
      inherited.isEmpty ? try listen.map { try ListenAddress(text: $0) } : inherited
    configuration.operations = [try ListenAddress(text: ops)]
    for origin in service.crossOrigins { try Origin.check(origin) }
    for field in service.crossOriginFields { try Origin.check(requestField: field) }
    if service.allowsCredentials, service.crossOrigins.contains("*") {
      throw Failure.configuration("cors.credentials needs each origin by name, not *")
    }
    configuration.logsHashedNames =
      try Self.choice("log.names", log.names, ["hashed": true, "plain": false])
    configuration.accessLog = try log.accessLog()
    // The database cancels a statement first, and says so.
    configuration.serviceLimits.database.answerSeconds =
      service.serviceLimits.database.statementSeconds + 3
    try Self.check(service.serverLimits)
    _ = try trustedFile()
    configuration.version = LiveDeltaVersion.text
    return configuration
  }

  /// Returns the value of a setting with a fixed set of words.
  static func choice<Value>(
    _ name: String, _ word: String, _ choices: KeyValuePairs<String, Value>
  ) throws -> Value {
    guard let choice = choices.first(where: { $0.key == word }) else {
      let words = choices.map(\.key).joined(separator: ", ")
      throw Failure.configuration("\(name) is \"\(word)\"; it must be one of \(words)")
    }
    return choice.value
  }

  /// Refuses limits that are valid individually but not in combination.
  private static func check(_ limits: ServerLimits) throws {
    let (target, header) = (limits.request.targetBytesMax, limits.request.headerBytesMax)
    guard target + header <= RequestLimits.headBytesMaxMax else {
      throw Failure.configuration(
        "limits.targetBytesMax is \(target) and limits.headerBytesMax \(header); "
          + "together they are at most \(RequestLimits.headBytesMaxMax)")
    }
    let room = BufferBudget.largeBytesMax(of: limits.bufferedBytesMax)
    guard limits.request.bodyBytesMax <= room else {
      throw Failure.configuration(
        "limits.bodyBytesMax is \(limits.request.bodyBytesMax); it is at most \(room), seven "
          + "eighths of limits.bufferedBytesMax, or no body of that size would ever have room")
    }
  }
}

extension LogSettings {
  /// The format of both logs.
  func lineFormat() throws -> LogFormat {
    try Settings.choice(
      "log.format", format,
      ["auto": Terminal.isOutput ? .text : .json, "json": .json, "text": .text])
  }

  /// Returns the configured access log; `nil` for none.
  func accessLog() throws -> AccessLog? {
    let format = try lineFormat()
    if access.hasPrefix("file:") {
      return try Failure.configuring {
        try AccessLog(path: String(access.dropFirst("file:".count)), format: format)
      }
    }
    let streams = Surroundings.current
    let descriptor = try Settings.choice(
      "log.access", access,
      ["stdout": streams.output, "stderr": streams.errors, "off": -1, "file:PATH": -1])
    return descriptor < 0 ? nil : AccessLog(descriptor: descriptor, format: format)
  }
}

extension ListenAddress {
  /// Parses `HOST:PORT`, `[ADDRESS]:PORT` or `unix:PATH`.
  init(text: String) throws {
    if text.hasPrefix("unix:") {
      self = .unix(path: String(text.dropFirst("unix:".count)))
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
    else { throw Failure.configuration("\"\(text)\" is not HOST:PORT or unix:PATH") }
    var host = String(text[..<colon])
    if host.hasPrefix("[") && host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else {
      throw Failure.configuration("\"\(text)\" has no host; 0.0.0.0 means every address")
    }
    self = .tcp(host: host, port: port)
  }
}
