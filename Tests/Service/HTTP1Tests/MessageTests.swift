import HTTP1
import Testing

struct MessageTests {
  @Test func `a request made by hand gives its path, query and fields`() {
    let request = HTTPRequest(
      method: .put, target: "/v1/a%20b?x=1&y",
      fields: [("Host", "h"), ("Accept", "a"), ("accept", "b")], body: [1])
    #expect(text(request.path) == "/v1/a%20b")
    #expect(text(request.query) == "x=1&y")
    #expect(text(request.target) == "/v1/a%20b?x=1&y")
    #expect(text(request.field("accept")) == "a")
    #expect(request.fields("accept").map(text) == ["a", "b"])
    #expect(request.field("missing") == nil)
    #expect(text(request.authority) == "h")
    #expect(!request.isHead)
  }

  @Test func `an empty query is not a missing one`() {
    #expect(HTTPRequest(method: .get, target: "/a?").query?.isEmpty == true)
    #expect(HTTPRequest(method: .get, target: "/a").query == nil)
  }

  @Test func `setting a field replaces it in any case, appending keeps it`() {
    var response = HTTPResponse(status: 200)
    response.setField("ETag", "\"1\"")
    response.appendField("Vary", "Accept")
    response.appendField("Vary", "Authorization")
    response.setField("etag", "\"2\"")
    #expect(response.field("etag") == Array("\"2\"".utf8))
    #expect(response.field("vary") == Array("Accept".utf8))
    response.removeFields("vary")
    #expect(response.field("vary") == nil)
  }

  @Test func `a line end in a field value cannot end the field`() {
    var response = HTTPResponse(status: 200)
    response.setField("location", "/a\r\nSet-Cookie: x")
    #expect(response.field("location") == Array("/a  Set-Cookie: x".utf8))
    #expect(response.field("set-cookie") == nil)
  }

  @Test func `the length of a body is that of all its segments`() {
    #expect(HTTPBody.none.count == 0)
    #expect(HTTPBody.bytes([1, 2]).count == 2)
    #expect(HTTPBody.segments([[1], [], [2, 3]]).count == 3)
  }
}

func text(_ bytes: ArraySlice<UInt8>?) -> String? {
  bytes.map { String(decoding: $0, as: UTF8.self) }
}

func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
