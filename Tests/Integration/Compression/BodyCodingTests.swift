import CollectionService
import Foundation
import HTTP1
import HTTPTestSupport
import LiveDeltaClient
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// What comes in in a content coding.
@Suite(.timeLimit(.minutes(10))) struct BodyCodingTests {
  private let inbox = TestServer.inbox

  /// A snapshot that deflates well, but not like a bomb.
  private static let text: [UInt8] = {
    let items = (0..<500).map { #"{"id":"m\#($0)","title":"Title \#($0 * 7919 % 1000)"}"# }
    return Array("[\(items.joined(separator: ","))]".utf8)
  }()

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] { Zipper.deflate(bytes, .gzip) }
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] { Zipper.deflate(bytes, .zlib) }

  private struct Row: Sendable {
    var coding: String
    var body: [UInt8]
    var status: Int
    var code: String?

    init(_ coding: String, _ body: [UInt8], _ status: Int, _ code: String? = nil) {
      (self.coding, self.body, self.status, self.code) = (coding, body, status, code)
    }
  }

  private static let rows: [Row] = [
    Row("gzip", gzip(text), 200),
    Row("x-gzip", gzip(text), 200),
    Row("GZip", gzip(text), 200),
    Row("identity", text, 200),
    Row("", text, 200),
    Row("identity, gzip", gzip(text), 200),
    Row("gzip, gzip", gzip(gzip(text)), 200),
    // RFC 1952 §2.2: members one after the other.
    Row("gzip", gzip(Array(text.prefix(100))) + gzip(Array(text.dropFirst(100))), 200),
    // The bytes are not in it at all; it ends early; its checksum or its length is wrong; something
    // follows it.
    Row("gzip", text, 400, "bad-request"),
    Row("gzip", zlib(text), 400, "bad-request"),
    Row("gzip", gzip(text).dropLast(1), 400, "bad-request"),
    Row("gzip", Array(gzip(text).prefix(300)), 400, "bad-request"),
    Row(
      "gzip", gzip(text).dropLast(8) + [1, 2, 3, 4] + gzip(text).suffix(4), 400, "bad-request"),
    Row("gzip", gzip(text).dropLast(1) + [1], 400, "bad-request"),
    Row("gzip", gzip(text) + [0], 400, "bad-request"),
    Row("gzip", [0x1F], 400, "bad-request"),
    Row("gzip", gzip(Array("[}".utf8)), 400, "bad-json"),
    Row("br", text, 415, "unsupported-media-type"),
    Row("deflate", zlib(text), 415, "unsupported-media-type"),
    Row("gzip, br", gzip(text), 415, "unsupported-media-type"),
    Row("compress", text, 415, "unsupported-media-type"),
    Row("gzip, gzip, gzip", gzip(gzip(gzip(text))), 415, "unsupported-media-type"),
    Row("*", text, 415, "unsupported-media-type"),
    // 30,000 spaces and a list are 200 times as long as what they deflate to, and more.
    Row(
      "gzip", gzip([UInt8](repeating: 0x20, count: 30_000) + [0x5B, 0x5D]), 413,
      "body-too-large"),
  ]

  @Test func `codings are undone, and what is not in them is refused`() async throws {
    try await TestServer.run { server in
      _ = try await server.put("[]")
      for row in Self.rows {
        for isChunked in [false, true] {
          _ = try await server.put("[]")
          let client = try RawConnection(server.address)
          var fields = ["Content-Type": "application/json", "Content-Encoding": row.coding]
          if isChunked {
            fields["Transfer-Encoding"] = "chunked"
            await client.send("PUT", inbox, fields)
            for start in stride(from: 0, to: row.body.count, by: 97) {
              let piece = row.body[start..<min(start + 97, row.body.count)]
              await client.send(
                Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
            }
            await client.send(Array("0\r\n\r\n".utf8))
          } else {
            await client.send("PUT", inbox, fields, Array(row.body))
          }
          let answer = try await client.response()
          #expect(answer.status == row.status, "\(row.coding) \(row.body.count) \(isChunked)")
          #expect(row.code == nil || JSONTree(answer.body)["code"].string == row.code)
          #expect((answer["Accept-Encoding"] == "gzip") == (row.status == 415))
        }
      }
      _ = try await server.put("[]")
      let client = try RawConnection(server.address)
      await client.send("PUT", inbox, ["Content-Encoding": "gzip"], Self.gzip(Self.text))
      _ = try await client.response()
      let items = try await server.send("GET", inbox).json["sections"].elements.first
      #expect(items?["items"].elements.count == 500)
    }
  }

  @Test func `a coded body may come byte by byte, and the connection goes on`() async throws {
    try await TestServer.run { server in
      let client = try RawConnection(server.address)
      let body = Self.gzip(Array(#"[{"id":1},{"id":2}]"#.utf8))
      var head = "PUT \(inbox) HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\n"
      head += "Content-Length: \(body.count)\r\n\r\n"
      await client.send(Array(head.utf8))
      for byte in body { await client.send([byte]) }
      #expect(try await client.response().status == 201)
      // The connection goes on.
      await client.send("GET", inbox)
      #expect(try await client.response().status == 200)
    }
  }

  @Test func `a limit holds for what a body inflates to`() async throws {
    try await TestServer.run({ $0.serverLimits.request.bodyBytesMax = 10_000 }) { server in
      let client = try RawConnection(server.address)
      let words = (0..<2000).map { #"{"id":"\#($0 * 7919)"}"# }.joined(separator: ",")
      let body = Self.gzip(Array("[\(words)]".utf8))
      #expect(body.count < 10_000)
      await client.send("PUT", inbox, ["Content-Encoding": "gzip"], body)
      let answer = try await client.response()
      #expect(answer.status == 413)
      #expect(JSONTree(answer.body)["limit"].int == 10_000)
      #expect(await client.isAtEnd())
    }
  }

  /// What 300 MB of spaces deflate to, as a gzip file: some 300 KB.
  private static var bomb: [UInt8] {
    let block = Deflater.deflate([UInt8](repeating: 0x20, count: 1 << 20)).bytes
    return ContentCoding.gzip.head + (0..<300).flatMap { _ in block }
  }

  @Test func `a bomb is refused with its first bytes, and takes no memory`() async throws {
    let service = try await RunningService()
    let bomb = Self.bomb
    #expect(250_000...400_000 ~= bomb.count)
    let address = try ServerAddress(try #require(service.listening.first))
    let before = try service.residentBytesMax
    for coding in ["gzip", "gzip, gzip"] {
      let body = coding == "gzip" ? bomb : Self.gzip(bomb)
      for declared in [body.count, 16 << 20] {
        let client = try RawConnection(address)
        let head =
          "PUT \(inbox) HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: \(coding)\r\n"
          + "Content-Length: \(declared)\r\n\r\n"
        // No more than this is ever sent: the answer does not wait for the rest.
        await client.send(Array(head.utf8) + body.prefix(32_000))
        let answer = try await client.response()
        #expect(answer.status == 413)
        #expect(JSONTree(answer.body)["code"].string == "body-too-large")
      }
    }
    #expect(try service.residentBytesMax - before < 32 << 20)
    await service.stop()
  }
}

extension RunningService {
  /// The most memory that the process has had at once.
  var residentBytesMax: Int {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return 1024 * (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0)
    }
  }
}
