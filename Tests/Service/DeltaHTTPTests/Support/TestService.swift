import CollectionService
import Foundation
import Logging
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP
@testable import HTTP1
@testable import SocketServer

/// The routes of a service in memory, without a socket: a request value goes in, a response comes out.
struct TestService {
  /// The service behind the routes.
  let service: DeltaService
  /// The public listener.
  let listener: Listener
  /// The operations listener.
  let operations: Listener
  private let resources: ServerResources

  /// Runs a body against a service of its own.
  static func run(
    _ configure: (inout DeltaServerConfiguration) -> Void = { _ in },
    store: any CollectionStore = MemoryStore(),
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    _ body: (TestService) async throws -> Void
  ) async throws {
    var configuration = DeltaServerConfiguration()
    configure(&configuration)
    let test = TestService(configuration, store, logger)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(test))
    } catch {
      result = .failure(error)
    }
    test.service.releaseWaiters(over: .zero)
    try result.get()
  }

  private init(
    _ configuration: DeltaServerConfiguration, _ store: any CollectionStore, _ logger: Logger
  ) {
    resources = ServerResources(configuration, store, configuration.faultLog(logger))
    service = resources.service
    let tcp = ListenAddress.tcp(host: "127.0.0.1", port: 0)
    listener = resources.routes.listener(at: tcp, loops: 1)
    let drainer = resources.drainer(logger) {}
    operations =
      resources.operations(drainer, connectionCount: { 0 }, heldBytes: { 0 }, probe: { $0(true) })
      .listener(at: tcp)
  }

  /// Any request.
  func send(
    _ method: String, _ path: String, _ fields: [String: String] = [:], _ body: String? = nil,
    on client: TestClient? = nil
  ) async throws -> TestResponse {
    try await (client ?? TestClient(listener)).request(
      method, path, fields: fields, body: body.map { Array($0.utf8) })
  }

  /// Puts a collection, and gives the version.
  func put(_ body: String, to path: String = Self.inbox) async throws -> String {
    let answer = try await send("PUT", path, [:], body)
    #expect(200...201 ~= answer.status, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  /// A client of its own, for a reader beside the writer.
  func reader() -> TestClient { TestClient(listener) }

  /// A client of the public listener.
  var client: TestClient { TestClient(listener) }

  /// Applies the settings of another configuration that can change.
  func reload(_ configuration: DeltaServerConfiguration) { resources.reload(configuration) }

  /// Returns once this many readers wait.
  func untilParked(_ count: Int = 1) async throws {
    try await until { service.counters.parked.value == count }
  }

  static let inbox = "/v1/clients/u42/collections/inbox"
}

/// Who sends requests to a listener.
struct TestClient: Sendable {
  let listener: Listener
  let peer: PeerAddress

  init(_ listener: Listener, from peer: PeerAddress = .ipv4(0x0100_007F, port: 1)) {
    (self.listener, self.peer) = (listener, peer)
  }

  /// Sends a request, and waits for the whole response.
  func request(
    _ method: String, _ target: String, fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> TestResponse {
    // What a tool sends unless told otherwise.
    let type = body == nil ? [:] : ["content-type": "application/json"]
    return try await TestExchange(self, method, target, fields, body, defaults: type).response()
  }
}

/// One request and its response.
final class TestExchange: Sendable {
  /// The pieces of a streamed response.
  let pieces: AsyncStream<[UInt8]>
  private let head: AsyncStream<(HTTPResponse, isStreamed: Bool)>
  private let isHead: Bool
  private let local: LocalResponse

  init(
    _ client: TestClient, _ method: String, _ target: String, _ fields: [String: String],
    _ body: [UInt8]?, defaults: [String: String] = [:]
  ) {
    isHead = method == "HEAD"
    var all = ["host": "localhost"].merging(defaults) { $1 }
    for (name, value) in fields { all[name.lowercased()] = value }
    if let body { all["content-length"] = "\(body.count)" }
    let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
    var request = Self.head("\(method) \(target) HTTP/1.1\r\n\(lines)\r\n")
    let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
    let (head, answer) = AsyncStream.makeStream(of: (HTTPResponse, isStreamed: Bool).self)
    (self.pieces, self.head) = (pieces, head)
    local = LocalResponse { response, isStreamed in
      answer.yield((response, isStreamed))
      answer.finish()
      if !isStreamed { piece.finish() }
    } receivePiece: {
      if let bytes = $0 { piece.yield(bytes) } else { piece.finish() }
    }
    let responder = local.responder(to: client.peer)
    guard let body, !body.isEmpty else {
      client.listener.handler(request, responder)
      return
    }
    let decision = client.listener.headCheck?(request, client.peer) ?? .read()
    request.body = body
    Self.carryOut(decision, request, responder, client.listener)
  }

  // Who no longer looks at the response has disconnected.
  deinit { local.hangUp() }

  /// Parses a head.
  private static func head(_ text: String) -> HTTPRequest {
    var reader = RequestReader()
    var scratch = ReaderScratch(limits: RequestLimits())
    var position = 0
    switch reader.next(Array(text.utf8).span, at: &position, scratch: &scratch) {
    case .head(let request), .request(let request): return request
    case let event: preconditionFailure("\(text): \(event)")
    }
  }

  private static func carryOut(
    _ decision: BodyDecision, _ request: HTTPRequest, _ responder: Responder, _ listener: Listener
  ) {
    switch decision {
    case .refuse(let response): responder.send(response)
    case .later(let decide): decide { carryOut($0, request, responder, listener) }
    case .read(let decoder, let handler):
      var request = request
      if let decoder {
        var content: [UInt8] = []
        do {
          try decoder.decode(request.body.span, into: &content)
          try decoder.finish()
        } catch {
          return responder.send(Problem(ServerProblem(error)).response)
        }
        request.body = content
      }
      (handler ?? listener.handler)(request, responder)
    }
  }

  /// The status and the fields of the response.
  func start() async throws -> TestResponse {
    for await (response, _) in head { return TestResponse(response, []) }
    throw CancellationError()
  }

  /// The whole response.
  func response() async throws -> TestResponse {
    for await (response, isStreamed) in head {
      var body = isStreamed ? [] : response.body.bytes
      for await piece in pieces { body += piece }
      return TestResponse(response, isHead ? [] : body)
    }
    throw CancellationError()
  }
}

/// A response as a client sees it.
struct TestResponse: Sendable {
  let status: Int
  /// The field lines, with names in lower case.
  let fields: [(name: String, value: String)]
  let body: [UInt8]
  /// The status and the field lines as they are sent.
  let head: String

  fileprivate init(_ response: HTTPResponse, _ body: [UInt8]) {
    status = response.status
    head = "HTTP/1.1 \(status) \r\n" + String(decoding: response.lines, as: UTF8.self)
    fields = response.fieldLines
    self.body = body
  }

  /// The value of the first field with a name, in any case.
  subscript(_ name: String) -> String? {
    fields.first { $0.name == name.lowercased() }?.value
  }

  var text: String { String(decoding: body, as: UTF8.self) }
  /// The body as a JSON value that tests can look into.
  var json: JSONTree { JSONTree(body) }
}

extension HTTPResponse {
  /// The field lines, with names in lower case.
  fileprivate var fieldLines: [(name: String, value: String)] {
    lines.split(separator: 0x0A).map { line in
      let parts = line.dropLast().split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
      return (
        String(decoding: parts[0], as: UTF8.self).lowercased(),
        String(decoding: parts[1].dropFirst(), as: UTF8.self)
      )
    }
  }
}

extension HTTPBody {
  /// The content in one piece.
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .bytes(let bytes): bytes
    case .segments(let segments): Array(segments.joined())
    }
  }
}

/// The folder of the package.
enum PackageFolder {
  static let url = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL
}
