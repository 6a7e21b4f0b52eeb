import CollectionService
import DeltaHTTP
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import SocketServer
import TestSupport
import Testing
import VersionedCollections

/// A real server on a free port, for the time of a test.
struct TestServer {
  let server: DeltaServer
  let address: ServerAddress
  let operations: ServerAddress
  let client: DeltaClient

  /// Runs a body against a server of its own.
  static func run(
    _ configure: (inout DeltaServerConfiguration) -> Void = { _ in },
    store: any CollectionStore = MemoryStore(),
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var configuration = DeltaServerConfiguration()
    configuration.listeners = [.tcp(host: "127.0.0.1", port: 0)]
    configuration.operations = [.tcp(host: "127.0.0.1", port: 0)]
    // The pauses of a test are not those of a peer that stalls, however busy the machine is.
    configuration.serverLimits.headerTimeout = .seconds(600)
    configuration.serverLimits.idleTimeout = .seconds(600)
    configuration.serverLimits.bodyTimeout = .seconds(600)
    configuration.serverLimits.writeTimeout = .seconds(600)
    configure(&configuration)
    let server = DeltaServer(configuration: configuration, store: store, logger: logger)
    let bound = try server.start()
    let address = try ServerAddress(try #require(bound.public.first).description)
    let test = TestServer(
      server: server, address: address,
      operations: try ServerAddress(try #require(bound.operations.first).description),
      client: DeltaClient(address, transport: CurlTransport()))
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(test))
    } catch {
      result = .failure(error)
    }
    await server.shutdown(isPatient: false)
    try result.get()
  }

  /// The port of the public listener.
  var port: UInt16 {
    get throws {
      try #require(address.description.split(separator: ":").last.flatMap { UInt16($0) })
    }
  }

  /// A client of its own connection, for a reader beside the writer.
  func reader() -> DeltaClient { DeltaClient(address, transport: CurlTransport()) }

  /// Any request.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], _ body: String? = nil,
    on client: DeltaClient? = nil
  ) async throws -> ClientResponse {
    // libcurl would call a body a form unless told otherwise.
    let type = body == nil ? [:] : ["Content-Type": "application/json"]
    let all = fields.merging(type) { given, _ in given }
    return try await (client ?? self.client).request(
      method, path, fields: all.map { HeaderField($0.key, $0.value) },
      body: body.map { Array($0.utf8) })
  }

  /// Puts a collection, and gives the version.
  func put(_ body: String, to path: String = Self.inbox) async throws -> String {
    let answer = try await send("PUT", path, [:], body)
    #expect(200...201 ~= answer.status, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  /// Returns once this many readers wait.
  func untilParked(_ count: Int = 1) async throws {
    try await until { server.service.counters.parked.value == count }
  }

  static let inbox = "/v1/clients/u42/collections/inbox"
}

extension ClientResponse {
  /// The body as a JSON value that tests can look into.
  var json: JSONTree { JSONTree(body) }
}
