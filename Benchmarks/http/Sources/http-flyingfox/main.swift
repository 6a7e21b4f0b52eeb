// The routes of the benchmark on FlyingFox, as shipped: http-flyingfox PORT
import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

let health = Data("{\"status\":\"ok\"}".utf8)
let document = Data("{\"text\":\"\(String(repeating: "a", count: 2037))\"}".utf8)

final class Shelf: Sendable {
  let body = Mutex<Data>(Data())
  let parked = Mutex<[CheckedContinuation<Void, Never>]>([])
}

let shelf = Shelf()

@Sendable func json(_ body: Data) -> HTTPResponse {
  HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
}

let server = HTTPServer(
  address: try .inet(ip4: "127.0.0.1", port: UInt16(CommandLine.arguments[1]) ?? 0))
await server.appendRoute("GET /health") { _ in json(health) }
await server.appendRoute("GET /document") { _ in json(document) }
await server.appendRoute("PUT /put") { request in
  let body = try await request.bodyData
  shelf.body.withLock { $0 = body }
  return HTTPResponse(statusCode: .noContent)
}
await server.appendRoute("GET /park") { _ in
  await withCheckedContinuation { waiting in shelf.parked.withLock { $0.append(waiting) } }
  return json(document)
}
await server.appendRoute("GET /release") { _ in
  let parked = shelf.parked.withLock { parked in
    defer { parked = [] }
    return parked
  }
  for waiting in parked { waiting.resume() }
  return json(Data("\(parked.count)".utf8))
}
try await server.run()
