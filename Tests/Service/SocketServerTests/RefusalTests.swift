import HTTP1
import SocketServer
import TestSupport
import Testing

struct RefusalTests {
  private static let check: HeadCheck = { request, _ in
    request.path.elementsEqual("/refused".utf8) ? .refuse(HTTPResponse(status: 404)) : .read()
  }

  private func put(_ target: String, _ fields: String) -> String {
    "PUT \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n"
  }

  @Test func `the body is invited when it is going to be read`() throws {
    try withServer(headCheck: Self.check, handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/a", "Expect: 100-continue\r\nContent-Length: 3"))
      #expect(try client.response().status == 100)
      client.send("abc")
      #expect(try client.response().text == "PUT /a abc")
    }
  }

  @Test func `the head's decision chooses who serves that request, and no other`() throws {
    let check: HeadCheck = { head, _ in
      guard head.path.equals("/chosen") else { return .read() }
      return .read { request, responder in
        responder.send(HTTPResponse(status: 202, body: .bytes(request.body)))
      }
    }
    try withServer(headCheck: check, handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(
        put("/chosen", "Content-Length: 1") + "x" + put("/a", "Content-Length: 1") + "y"
          + "GET /chosen HTTP/1.1\r\nHost: h\r\n\r\n")
      let chosen = try client.response()
      #expect(chosen.status == 202)
      #expect(chosen.text == "x")
      #expect(try client.response().text == "PUT /a y")
      #expect(try client.response().text == "GET /chosen ")
    }
  }

  @Test func `a body that is there already is not invited`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/a", "Expect: 100-continue\r\nContent-Length: 3") + "abc")
      #expect(try client.response().status == 200)
    }
  }

  @Test func `a request refused by its head is not invited, and the connection closed`() throws {
    try withServer(headCheck: Self.check, handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/refused", "Expect: 100-continue\r\nContent-Length: 3"))
      let answer = try client.response()
      #expect(answer.status == 404)
      #expect(answer["connection"] == "close")
      client.send("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.rest() == "")
    }
  }

  @Test func `a short body refused by its head is dropped and the connection kept`() throws {
    try withServer(headCheck: Self.check, handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/refused", "Content-Length: 3"))
      #expect(try client.response().status == 404)
      client.send("abc" + put("/a", "Content-Length: 1") + "x")
      #expect(try client.response().text == "PUT /a x")
    }
  }

  @Test func `a long or endless body refused by its head closes the connection`() throws {
    try withServer(headCheck: Self.check, handler: echo) { _, address in
      for fields in ["Content-Length: 1000000", "Transfer-Encoding: chunked"] {
        let client = try RawClient(address)
        client.send(put("/refused", fields))
        let answer = try client.response()
        #expect(answer.status == 404)
        #expect(answer["connection"] == "close")
      }
    }
  }

  @Test func `a declared length over the limit gets 413 before a byte of it comes`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/a", "Expect: 100-continue\r\nContent-Length: 16777217"))
      let answer = try client.response()
      #expect(answer.status == 413)
      #expect(answer.text.contains("\"code\":\"body-too-large\""))
      #expect(answer.text.contains("\"limit\":16777216"))
      #expect(answer["connection"] == "close")
      #expect(try client.rest() == "")
    }
  }

  @Test func `a client that sends all of a refused body still gets the answer`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/a", "Content-Length: 30000000"))
      client.send([UInt8](repeating: 0x61, count: 30_000_000))
      #expect(try client.response().status == 413)
      #expect(try client.rest() == "")
    }
  }

  @Test func `an unknown expectation gets 417`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(put("/a", "Expect: tea\r\nContent-Length: 3"))
      #expect(try client.response().status == 417)
      #expect(try client.rest() == "")
    }
  }

  @Test func `a connection that ends in the middle of a request gets 400`() throws {
    try withServer(handler: echo) { _, address in
      for text in ["GET / HT", put("/a", "Content-Length: 3") + "ab"] {
        let client = try RawClient(address)
        client.send(text)
        client.finishSending()
        #expect(try client.response().status == 400)
        #expect(try client.rest() == "")
      }
      let silent = try RawClient(address)
      silent.finishSending()
      #expect(try silent.rest() == "")
    }
  }

  @Test func `problems are rendered by who knows how`() throws {
    var configuration = ServerConfiguration(listeners: [
      Listener(address: .tcp(host: "127.0.0.1", port: 0), handler: echo)
    ])
    configuration.renderProblem = { problem, _ in
      HTTPResponse(status: problem.status, body: .bytes(Array("<\(problem.code)>".utf8)))
    }
    let server = ConnectionServer(configuration)
    let client = try RawClient(try #require(try server.start().first))
    client.send("GET / HTTP/9.9\r\n\r\n")
    #expect(try client.response().text == "<version-not-supported>")
    server.stop()
  }

  @Test func `the last request a connection may make closes it`() throws {
    var limits = ServerLimits()
    limits.requestsPerConnectionMax = 2
    try withServer(limits: limits, handler: echo) { _, address in
      let client = try RawClient(address)
      client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 3))
      #expect(try client.response()["connection"] == nil)
      #expect(try client.response()["connection"] == "close")
      #expect(try client.rest() == "")
    }
  }
}
