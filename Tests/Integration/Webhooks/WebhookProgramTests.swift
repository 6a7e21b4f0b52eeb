import Authentication
import CollectionService
import Foundation
import HTTP1
import LiveDeltaClient
import SocketServer
import Subprocess
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP
@testable import livedelta

/// `webhook.url` as the program has it.
@Suite(.timeLimit(.minutes(10))) struct WebhookProgramTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")

  @Test func `the program posts to its URL with the secret of the file`() async throws {
    let files = try TemporaryFiles()
    let secret = try files.add(WebhookReceiver.secret + "\n")
    let (requests, noting) = AsyncStream.makeStream(of: HTTPRequest.self)
    try await TestBackend.run { request, responder in
      noting.yield(request)
      responder.send(HTTPResponse(status: 204))
    } _: { backend in
      let service = try await RunningService(
        "--data", files.path + "/data",
        environment: [
          "LIVEDELTA_WEBHOOK_URL": "http://\(backend)/hook/",
          "LIVEDELTA_WEBHOOK_SECRET_FILE": secret,
        ])
      try await service.client().put(Array("[]".utf8), to: inbox)
      let request = try #require(await requests.first { _ in true })
      func field(_ name: StaticString) -> String {
        request.field(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
      }
      #expect(String(decoding: request.path, as: UTF8.self) == "/hook/")
      #expect(
        field("webhook-signature")
          == WebhookSecret(WebhookReceiver.secret)?.signature(
            id: field("webhook-id"), timestamp: try #require(Int64(field("webhook-timestamp"))),
            body: Array(request.body)))
      let position = files.path + "/data/webhook-position"
      try await until { FileManager.default.fileExists(atPath: position) }
      #expect(PositionFile(path: position).load().flatMap { ChangeMark($0) } != nil)
      await service.stop()
    }
  }

  /// The program, its arguments before the script, the document that has the script, and its block.
  private static let receivers = [
    ("python3", ["-u"], "docs/webhooks.md", "```python\n"),
    ("node", [], "docs/guides/backend.md", "```js\n// receiver.mjs\n"),
  ]

  @Test(arguments: receivers)
  func `the receivers of the documentation get what is pushed`(
    program: String, options: [String], document: String, block: String
  ) async throws {
    guard program != "node" || Program.hasNode else { return }
    let files = try TemporaryFiles()
    let page = try String(contentsOf: Program.root.appending(path: document), encoding: .utf8)
    let start = try #require(page.firstRange(of: block)).upperBound
    let script = try #require(page[start...].split(separator: "```").first)
    let path = try files.add(String(script), named: "receiver.mjs")
    let secret = try files.add(WebhookReceiver.secret)
    let receiver = Subprocess.Configuration(
      executable: .name(program),
      arguments: Arguments(options + [path, "0", WebhookReceiver.secret]))
    _ = try await Subprocess.run(
      receiver, input: .none, output: .sequence, error: .discarded
    ) { execution in
      var lines = execution.standardOutput.strings().makeAsyncIterator()
      let port = try #require(try await lines.next())
      let service = try await RunningService(environment: [
        "LIVEDELTA_WEBHOOK_URL": "http://127.0.0.1:\(port)/",
        "LIVEDELTA_WEBHOOK_SECRET_FILE": secret,
      ])
      // Without a store there are no changes of before: it begins with a reset.
      #expect(try await lines.next() == "collections.reset []")
      let version = try await service.client().put(Array("[]".utf8), to: inbox).value.version
      let change = try #require(try await lines.next())
      for part in ["collections.changed", "u42", "inbox", "\(version)"] {
        #expect(change.contains(part))
      }
      await service.stop()
      kill(execution.processIdentifier.value, SIGKILL)
    }
  }
}
