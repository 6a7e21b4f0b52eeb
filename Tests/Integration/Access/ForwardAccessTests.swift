import Foundation
import HTTP1
import LiveDeltaClient
import LiveDeltaCurl
import SocketServer
import Synchronization
import TestSupport
import Testing

/// `auth.forward.url` as the program has it.
@Suite(.timeLimit(.minutes(10))) struct ForwardAccessTests {
  private let inbox = TestServer.inbox

  /// Lets session 1 read the inbox of u42, and session 2 write all that u42 has.
  private static func status(_ request: HTTPRequest) -> Int {
    let query = request.query.map { String(decoding: $0, as: UTF8.self) } ?? ""
    let cookie = request.field("cookie").map { String(decoding: $0, as: UTF8.self) }
    return switch cookie {
    case "session=1": query == "a=b&access=read&client=u42&collection=inbox" ? 204 : 403
    case "session=2": query.contains("client=u42") ? 200 : 404
    case "session=broken": 500
    case "session=redirected": 302
    default: 401
    }
  }

  /// The `LiveDelta-View` fields for each session, and what its caller gets.
  private static let views: [String: (fields: [String], expected: Int)] = [
    "none": ([], 200), "one": (["where=/team:eq:blue"], 200),
    "two": (["where=/team:eq:blue", "select=/t"], 403),
    "turned": (["select=/t", "where=/team:eq:blue"], 403),
    "equal": (["where=/team:eq:blue", "where=/team:eq:blue"], 403), "empty": ([""], 403),
    "nothing": (["", "where=/team:eq:blue"], 403), "garbage": (["team blue"], 403),
  ]

  @Test func `a verdict with two fields LiveDelta-View refuses, whatever they are`() async throws {
    try await TestBackend.run { request, responder in
      let session = request.field("cookie").map { String(decoding: $0, as: UTF8.self) } ?? ""
      var response = HTTPResponse(status: 200)
      response.setField("Cache-Control", "max-age=60")
      for view in Self.views[String(session.dropFirst("session=".count))]?.fields ?? [] {
        response.appendField("LiveDelta-View", view)
      }
      responder.send(response)
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_AUTH_FORWARD_URL": "http://\(backend)/may",
        "LIVEDELTA_AUTH_FORWARD_COOKIES": "session",
      ])
      let address = try ServerAddress(try #require(service.listening.first))
      func send(_ method: String, _ session: String, _ body: String?) async throws -> ClientResponse
      {
        let fields = ["Cookie": "session=\(session)", "Content-Type": "application/json"]
        return try await DeltaClient(address, transport: CurlTransport()).request(
          method, inbox, fields: fields.map { HeaderField($0.key, $0.value) },
          body: body.map { Array($0.utf8) })
      }
      let items = #"[{"id":1,"team":"blue","t":0},{"id":2,"team":"red","t":0}]"#
      #expect(try await send("PUT", "none", items).status == 201)
      for (session, (_, expected)) in Self.views {
        let answer = try await send("GET", session, nil)
        #expect(answer.status == expected, "\(session)")
        #expect(answer.text.contains(#""team":"red""#) == (session == "none"), "\(session)")
        guard session != "none" else { continue }
        #expect(try await send("PUT", session, "[]").status == 403, "\(session)")
      }
      await service.stop()
    }
  }

  @Test func `a verdict is asked for anew before a token of another view is a reset`() async throws
  {
    let views = Mutex(["1": "where=/team:eq:blue", "2": "where=/team:eq:red"])
    try await TestBackend.run { request, responder in
      let session = request.field("cookie").map { String(decoding: $0, as: UTF8.self) } ?? ""
      var response = HTTPResponse(status: 200)
      response.setField("Cache-Control", "max-age=60")
      if let view = views.withLock({ $0[String(session.dropFirst("session=".count))] }) {
        response.appendField("LiveDelta-View", view)
      }
      responder.send(response)
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_AUTH_FORWARD_URL": "http://\(backend)/may",
        "LIVEDELTA_AUTH_FORWARD_COOKIES": "session",
      ])
      let address = try ServerAddress(try #require(service.listening.first))
      func send(
        _ method: String, _ rest: String, _ session: String, _ body: String? = nil
      ) async throws -> ClientResponse {
        let fields = ["Cookie": "session=\(session)", "Content-Type": "application/json"]
        return try await DeltaClient(address, transport: CurlTransport()).request(
          method, inbox + rest, fields: fields.map { HeaderField($0.key, $0.value) },
          body: body.map { Array($0.utf8) })
      }
      let items = #"[{"id":"b","team":"blue"},{"id":"r","team":"red"}]"#
      #expect(try await send("PUT", "", "writer", items).status == 201)
      let blue = try #require(try await send("GET", "", "1")["Collection-Version"])
      let red = try #require(try await send("GET", "", "2")["Collection-Version"])
      #expect(blue != red)
      // The verdict that says blue is kept for a minute; a token of the red view shows that it is not the newest.
      views.withLock { $0["1"] = $0["2"] }
      // The backend is asked anew once a second.
      var same = try await send("GET", "/delta?since=\(red)", "1")
      while same.json["kind"].string != "unchanged" {
        #expect(same.json["reset"]["reason"].string == "view-changed", "\(same.text)")
        same = try await send("GET", "/delta?since=\(red)", "1")
      }
      let reset = try await send("GET", "/delta?since=\(blue)", "1").json
      #expect(reset["reset"]["reason"].string == "view-changed", "\(reset)")
      #expect(reset["version"].string == red && reset.shownIDs == ["r"], "\(reset)")
      await service.stop()
    }
  }

  @Test func `the backend decides about callers without a key, and is never taken for a yes`()
    async throws
  {
    let silent = Mutex<[Responder]>([])
    try await TestBackend.run { request, responder in
      if request.field("cookie").map({ Array($0) }) == Array("session=silent".utf8) {
        return silent.withLock { $0.append(responder) }
      }
      responder.send(HTTPResponse(status: Self.status(request)))
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_AUTH_FORWARD_URL": "http://\(backend)/may?a=b",
        "LIVEDELTA_AUTH_FORWARD_COOKIES": "session",
      ])
      let address = try ServerAddress(try #require(service.listening.first))
      func status(
        _ method: String, _ path: String, _ session: String?, _ body: String? = nil
      ) async throws -> Int {
        let fields =
          (session.map { [HeaderField("Cookie", "theme=\(method); session=\($0)")] } ?? [])
          + [HeaderField("Content-Type", "application/json")]
        return try await DeltaClient(address, transport: CurlTransport())
          .request(method, path, fields: fields, body: body.map { Array($0.utf8) }).status
      }
      #expect(try await status("PUT", inbox, "2", "[]") == 201)
      #expect(try await status("GET", inbox, "1") == 200)
      #expect(try await status("PUT", inbox, "1", "[]") == 403)
      #expect(try await status("GET", inbox + "2", "1") == 403)
      #expect(try await status("GET", "/v1/clients/u42/collections", "1") == 403)
      #expect(try await status("GET", "/v1/clients/u42/collections", "2") == 200)
      #expect(try await status("GET", "/v1/clients/u7/collections", "2") == 403)
      #expect(try await status("GET", inbox, "3") == 401)
      #expect(try await status("GET", inbox, nil) == 401)
      #expect(try await status("GET", "/v1", "2") == 401)
      for session in ["broken", "redirected", "silent"] {
        #expect(try await status("GET", inbox, session) == 503)
      }
      for responder in silent.withLock(\.self) { responder.send(HTTPResponse(status: 200)) }
      await service.stop()
    }
  }
}
