// The service on Hummingbird, Foundation's JSON coders and CollectionDifference, as one would write
// it in an afternoon: service-hummingbird PORT
import Foundation
import Hummingbird
import Logging
import Synchronization

/// The versions of each collection that are kept.
final class Shelf: Sendable {
  struct Version: Sendable {
    var seq: Int
    var snapshot: Snapshot
    /// The snapshot as it is sent.
    var text: ByteBuffer
    var token: String { "v.\(seq)" }
  }

  let collections = Mutex<[String: [Version]]>([:])

  func versions(of name: String) -> [Version] { collections.withLock { $0[name] ?? [] } }

  func keep(_ snapshot: Snapshot, as name: String) throws -> Version {
    let text = ByteBuffer(bytes: try JSONEncoder().encode(snapshot))
    return collections.withLock { collections in
      let version = Version(
        seq: (collections[name]?.last?.seq ?? 0) + 1, snapshot: snapshot, text: text)
      collections[name] = (collections[name] ?? []).suffix(63) + [version]
      return version
    }
  }
}

let shelf = Shelf()

func answer(_ body: some Encodable) throws -> Response {
  Response(
    status: .ok, headers: [.contentType: "application/json"],
    body: .init(byteBuffer: ByteBuffer(bytes: try JSONEncoder().encode(body))))
}

let router = Router()
router.put("v1/clients/:client/collections/:name") { request, context in
  let name = try context.parameters.require("name")
  let body = try await request.body.collect(upTo: 64 << 20)
  let snapshot = try JSONDecoder().decode(Snapshot.self, from: Data(body.readableBytesView))
  guard let head = shelf.versions(of: name).last else {
    let version = try shelf.keep(snapshot, as: name)
    return try answer(
      Receipt(version: version.token, seq: version.seq, changed: true, counts: .init()))
  }
  let delta = Delta(from: head.snapshot, to: snapshot)
  let isChanged = head.snapshot.sections != snapshot.sections
  let version = isChanged ? try shelf.keep(snapshot, as: name) : head
  return try answer(
    Receipt(
      version: version.token, seq: version.seq, previous: head.token, changed: isChanged,
      counts: delta.counts))
}
router.get("v1/clients/:client/collections/:name") { request, context in
  guard let head = shelf.versions(of: try context.parameters.require("name")).last else {
    throw HTTPError(.notFound)
  }
  let tag = "\"\(head.token)\""
  if request.headers[.ifNoneMatch] == tag {
    return Response(status: .notModified, headers: [.eTag: tag])
  }
  return Response(
    status: .ok, headers: [.contentType: "application/json", .eTag: tag],
    body: .init(byteBuffer: head.text))
}
router.get("v1/clients/:client/collections/:name/delta") { request, context in
  let versions = shelf.versions(of: try context.parameters.require("name"))
  guard let head = versions.last, let since = request.uri.queryParameters["since"],
    let held = versions.first(where: { $0.token == since })
  else { throw HTTPError(.notFound) }
  if since == head.token { return try answer(["kind": "unchanged", "to": head.token]) }
  var delta = Delta(from: held.snapshot, to: head.snapshot)
  (delta.from, delta.to, delta.seq) = (held.token, head.token, head.seq)
  return try answer(delta)
}

var logger = Logger(label: "peer")
logger.logLevel = .error
let application = Application(
  router: router,
  configuration: .init(address: .hostname("127.0.0.1", port: Int(CommandLine.arguments[1]) ?? 0)),
  logger: logger)
try await application.runService()
