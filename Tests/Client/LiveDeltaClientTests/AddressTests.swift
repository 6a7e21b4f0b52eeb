import LiveDeltaClient
import Testing

@Suite struct AddressTests {
  @Test(arguments: [
    ("127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://example.org/", "http://example.org"),
    ("https://example.org/base/", "https://example.org/base"),
    ("[::1]:80", "http://[::1]:80"),
    ("unix:/run/a.sock", "unix:/run/a.sock"),
  ])
  func `an address is read as people write it`(text: String, expected: String) throws {
    #expect(try ServerAddress(text).description == expected)
  }

  @Test(arguments: ["", "unix:", "ftp://x", "http://", "http:///x", ":8080", "http://:80"])
  func `what is no address is refused`(text: String) {
    #expect(throws: ClientError.self) { try ServerAddress(text) }
  }

  @Test func `a collection is written client slash name`() throws {
    let address = try CollectionAddress("u42/inbox")
    #expect(address == CollectionAddress(client: "u42", name: "inbox"))
    #expect(address.path == "/v1/clients/u42/collections/inbox")
  }

  @Test(arguments: ["", "a", "/a", "a/", "a/b/c", "/"])
  func `what is no collection is refused`(text: String) {
    #expect(throws: ClientError.self) { try CollectionAddress(text) }
  }

  @Test func `what a path cannot hold is escaped byte by byte`() {
    let address = CollectionAddress(client: "a b/ü", name: "x~y:@-._")
    #expect(address.path == "/v1/clients/a%20b%2F%C3%BC/collections/x~y:@-._")
  }
}
