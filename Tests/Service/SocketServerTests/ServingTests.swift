import Dispatch
import HTTP1
import SocketServer
import TestSupport
import Testing

struct ServingTests {
  @Test func `a request is answered and the connection kept`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try client.response()
      #expect(answer.status == 200)
      #expect(answer.text == "GET /a?b ")
      #expect(answer["content-type"] == "text/plain")
      #expect(answer["connection"] == nil)
      #expect(answer["date"]?.hasSuffix(" GMT") == true)
      client.send("PUT /c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz")
      #expect(try client.response().text == "PUT /c xyz")
    }
  }

  @Test func `pipelined requests are answered in order, fifty deep and mixed with bodies`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      var text = ""
      for index in 0..<50 {
        switch index % 3 {
        case 0: text += "GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n"
        case 1: text += "PUT /\(index) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"
        default:
          text += "POST /\(index) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
          text += "1\r\nx\r\n2;e=1\r\nyz\r\n0\r\nT: 1\r\n\r\n"
        }
      }
      client.send(text)
      for index in 0..<50 {
        let expected = ["GET /\(index) ", "PUT /\(index) ab", "POST /\(index) xyz"][index % 3]
        #expect(try client.response().text == expected)
      }
    }
  }

  @Test func `a request that comes byte by byte is served`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      for byte in "PUT /c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nxyz".utf8 {
        client.send([byte])
      }
      #expect(try client.response().text == "PUT /c xyz")
    }
  }

  @Test func `an error is answered with a problem and closes, and nothing behind it is read`()
    throws
  {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send("GET / HTTP/1.1\r\nHost : h\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try client.response()
      #expect(answer.status == 400)
      #expect(answer["content-type"] == "application/problem+json")
      #expect(answer["connection"] == "close")
      #expect(answer.text.contains("\"code\":\"bad-request\""))
      #expect(try client.rest() == "")
    }
  }

  @Test func `large bodies go both ways`() throws {
    let body = [UInt8]((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try withServer(handler: { request, responder in
      responder.send(HTTPResponse(status: 200, body: .segments([request.body, request.body])))
    }) { _, address in
      let client = try RawClient(address)
      client.send("PUT /c HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
      client.send(body)
      #expect(try client.response().body == body + body)
    }
  }

  /// Their bytes are looked at again, not read again.
  @Test func `a head that is sent again, whole or in pieces, has the answer of its own bytes`()
    throws
  {
    func head(_ target: String, _ field: String = "x") -> String {
      "GET \(target) HTTP/1.1\r\nHost: h\r\nField: \(field)\r\n\r\n"
    }
    let long = String(repeating: "x", count: 4096)
    let tail: @Sendable (HTTPRequest, Responder) -> Void = { request, responder in
      var response = HTTPResponse(status: 200)
      let field = request.field("field").map { "\($0.last ?? 0), \($0.count)" } ?? ""
      let target = String(decoding: request.target, as: UTF8.self)
      response.body = .bytes(Array("\(target) \(field)".utf8) + request.body)
      responder.send(response)
    }
    try withServer(handler: tail) { _, address in
      let clients = try (0..<3).map { _ in try RawClient(address) }
      for round in 1...4 {
        for (index, client) in clients.enumerated() {
          for text in ["/\(index)", "/\(index)", "/\(round)"] {
            client.send(head(text))
            #expect(try client.response().text == "\(text) 120, 1")
          }
          client.send(head("/\(round)", "y") + head("/\(round)", "y") + head("/", long))
          for _ in 1...2 { #expect(try client.response().text == "/\(round) 121, 1") }
          #expect(try client.response().text == "/ 120, \(long.utf8.count)")
          let put = "PUT /\(round) HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n"
          client.send(put + "b" + put + "c" + head("/"))
          for body in ["b", "c"] { #expect(try client.response().text == "/\(round) \(body)") }
          #expect(try client.response().text == "/ 120, 1")
          for byte in head("/").utf8 { client.send([byte]) }
          #expect(try client.response().text == "/ 120, 1")
          let last = Array(head("/").utf8)
          client.send(Array("\r\n\(head("/"))\r\n\(head("/"))".utf8) + last.dropLast())
          client.send([last[last.count - 1]])
          for _ in 1...3 { #expect(try client.response().text == "/ 120, 1") }
        }
      }
    }
  }

  @Test func `HEAD has the length of GET and no content`() throws {
    try withServer(handler: echo) { _, address in
      let client = try RawClient(address)
      client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = try client.response(toHead: true)
      #expect(answer["content-length"] == "8")
      #expect(try client.response().text == "GET /b ")
    }
  }

  @Test func `an answer may be given later from another thread`() throws {
    try withServer(handler: { request, responder in
      later.async { echo(request, responder) }
    }) { _, address in
      let client = try RawClient(address)
      client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try client.response().text == "GET /1 ")
      #expect(try client.response().text == "GET /2 ")
    }
  }

  @Test func `connections end as version and Connection say`() throws {
    try withServer(handler: echo) { _, address in
      let closing = [
        "GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nConnection: x, CLOSE\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
      ]
      for text in closing {
        let client = try RawClient(address)
        client.send(text)
        #expect(try client.response()["connection"] == "close")
        #expect(try client.rest() == "")
      }
      let client = try RawClient(address)
      client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
      #expect(try client.response()["connection"] == "keep-alive")
      client.send("GET / HTTP/1.0\r\n\r\n")
      #expect(try client.response()["connection"] == "close")
    }
  }

  @Test func `what was asked before the peer shut its side is answered`() throws {
    try withServer(handler: { request, responder in
      later.async { echo(request, responder) }
    }) { _, address in
      let client = try RawClient(address)
      client.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
      client.finishSending()
      #expect(try client.response().text == "GET /1 ")
      #expect(try client.response().text == "GET /2 ")
      #expect(try client.rest() == "")
    }
  }
}
