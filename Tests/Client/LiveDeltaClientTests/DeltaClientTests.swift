import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

/// The client against a peer that answers byte for byte what a test says.
@Suite(.timeLimit(.minutes(10))) struct DeltaClientTests {
  private let ok = ScriptedPeer.Script(
    answer: "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a:2 \r\nContent-Length: 2\r\n\r\nhi")

  @Test func `an answer comes with its status, fields and body`() async throws {
    let peer = try ScriptedPeer([ok])
    let answer = try await client(of: peer).request("GET", "/v1?a=b")
    #expect(answer.status == 200)
    #expect(answer.fields.map(\.value) == ["1", "2", "2"])
    #expect(answer["x-A"] == "1")
    #expect(answer.text == "hi")
    #expect(peer.requests.first?.hasPrefix("GET /v1?a=b HTTP/1.1\r\n") == true)
  }

  @Test func `one connection carries one request after the other`() async throws {
    let peer = try ScriptedPeer([ok, ok, ok])
    let client = try client(of: peer)
    for _ in 0..<3 { #expect(try await client.request("GET", "/").status == 200) }
    #expect(peer.connections == 1)
  }

  @Test func `a connection that the server closed is opened anew`() async throws {
    let closing = ScriptedPeer.Script(
      answer: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", closes: true)
    let peer = try ScriptedPeer([closing, ok])
    let client = try client(of: peer)
    #expect(try await client.request("GET", "/").body.isEmpty)
    #expect(try await client.request("GET", "/").text == "hi")
    #expect(peer.connections == 2)
  }

  @Test(arguments: ["PUT", "POST", "PATCH"])
  func `a body goes out with its length under any method`(method: String) async throws {
    let peer = try ScriptedPeer([ok])
    let fields = [HeaderField("Content-Type", "application/json"), HeaderField("X-Empty", "")]
    _ = try await client(of: peer).request(method, "/x", fields: fields, body: Array("{}".utf8))
    let request = try #require(peer.requests.first)
    #expect(request.hasPrefix("\(method) /x HTTP/1.1\r\n"))
    #expect(request.contains("\r\nContent-Length: 2\r\n"))
    #expect(request.contains("\r\nX-Empty:\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{}"))
  }

  @Test func `an empty body has the length zero, no body has none`() async throws {
    let peer = try ScriptedPeer([ok, ok])
    let client = try client(of: peer)
    _ = try await client.request("PUT", "/", body: [])
    _ = try await client.request("DELETE", "/")
    #expect(peer.requests[0].contains("Content-Length: 0\r\n"))
    #expect(!peer.requests[1].contains("Content-Length"))
  }

  @Test func `the answer to HEAD has no body`() async throws {
    let head = ScriptedPeer.Script(answer: "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n")
    let peer = try ScriptedPeer([head, ok])
    let client = try client(of: peer)
    let answer = try await client.request("HEAD", "/")
    #expect(answer["content-length"] == "999")
    #expect(answer.body.isEmpty)
    #expect(try await client.request("GET", "/").text == "hi")
  }

  @Test func `fields of interim answers are not kept`() async throws {
    let interim = ScriptedPeer.Script(
      answer: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok.answer)
    let answer = try await client(of: ScriptedPeer([interim])).request("GET", "/")
    #expect(answer.status == 200)
    #expect(answer["link"] == nil)
  }

  @Test func `a chunked answer is put together`() async throws {
    let chunked = ScriptedPeer.Script(
      answer:
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")
    #expect(try await client(of: ScriptedPeer([chunked])).request("GET", "/").text == "hello")
  }

  @Test func `a path goes out as it stands, dots and escapes too`() async throws {
    let peer = try ScriptedPeer([ok])
    _ = try await client(of: peer).request("GET", "/a/../b/%2e%2e/c")
    #expect(peer.requests.first?.hasPrefix("GET /a/../b/%2e%2e/c HTTP/1.1") == true)
  }

  @Test func `no listener is a transport error that says so`() async throws {
    let error = await #expect(throws: ClientError.self) {
      try await DeltaClient(ServerAddress("127.0.0.1:1"), transport: CurlTransport()).request(
        "GET", "/")
    }
    guard case .transport(let code, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(code == 7)
    #expect(reason.contains("127.0.0.1"))
  }

  @Test func `an answer that stops halfway is a transport error`() async throws {
    let cut = ScriptedPeer.Script(
      answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhi", closes: true)
    let client = try client(of: ScriptedPeer([cut, ok]))
    let error = await #expect(throws: ClientError.self) { try await client.request("GET", "/") }
    guard case .transport = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `an answer over the limit is refused with the limit`() async throws {
    var limits = DeltaClient.Limits()
    limits.bodyBytesMax = 1
    let client = try client(of: ScriptedPeer([ok]), limits)
    await #expect(throws: ClientError.answerTooLarge(limit: 1)) {
      try await client.request("GET", "/")
    }
  }

  @Test func `an answer that does not come in time is a time-out`() async throws {
    var limits = DeltaClient.Limits()
    limits.answerMilliseconds = 20
    let client = try client(of: ScriptedPeer([.init(answer: "")]), limits)
    let error = await #expect(throws: ClientError.self) { try await client.request("GET", "/") }
    guard case .timedOut = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `cancelling the task ends a request that waits, and the client goes on`() async throws
  {
    let peer = try ScriptedPeer([.init(answer: ""), ok])
    let client = try client(of: peer)
    let waiting = Task { try await client.request("GET", "/") }
    try await until { !peer.requests.isEmpty }
    waiting.cancel()
    await #expect(throws: ClientError.cancelled) { try await waiting.value }
    #expect(try await client.request("GET", "/").text == "hi")
  }

  @Test func `a cancelled task sends nothing`() async throws {
    let peer = try ScriptedPeer([ok])
    let client = try client(of: peer)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.request("GET", "/")
    }
    await #expect(throws: ClientError.cancelled) { try await task.value }
    #expect(peer.connections == 0)
  }

  private func client(
    of peer: ScriptedPeer, _ limits: DeltaClient.Limits = .init()
  ) throws -> DeltaClient {
    DeltaClient(try ServerAddress(peer.address), transport: CurlTransport(), limits: limits)
  }
}
