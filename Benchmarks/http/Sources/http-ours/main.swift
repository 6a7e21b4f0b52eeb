// The routes of the benchmark on SocketServer: http-ours PORT
import Dispatch
import Glibc
import HTTP1
import SocketServer
import Synchronization

let health = Array("{\"status\":\"ok\"}".utf8)
let document = Array("{\"text\":\"\(String(repeating: "a", count: 2037))\"}".utf8)

/// The last body that was put, and the requests that wait.
final class Shelf: Sendable {
  let body = Mutex<[UInt8]>([])
  let parked = Mutex<[Responder]>([])
}

let shelf = Shelf()

func json(_ body: [UInt8]) -> HTTPResponse {
  var response = HTTPResponse(status: 200, body: .bytes(body))
  response.appendField("Content-Type", "application/json")
  return response
}

let handler: Handler = { request, responder in
  switch (request.method, request.path) {
  case (.get, let path) where path.equals("/health"):
    responder.send(json(health))
  case (.get, let path) where path.equals("/document"):
    responder.send(json(document))
  case (.put, let path) where path.equals("/put"):
    shelf.body.withLock { $0 = request.body }
    responder.send(HTTPResponse(status: 204))
  case (.get, let path) where path.equals("/park"):
    shelf.parked.withLock { $0.append(responder) }
  case (.get, let path) where path.equals("/release"):
    let parked = shelf.parked.withLock { parked in
      defer { parked = [] }
      return parked
    }
    for waiting in parked { waiting.send(json(document)) }
    responder.send(json(Array("\(parked.count)".utf8)))
  default:
    responder.send(HTTPResponse(status: 404))
  }
}

var configuration = ServerConfiguration(listeners: [
  Listener(
    address: .tcp(host: "127.0.0.1", port: UInt16(CommandLine.arguments[1]) ?? 0), handler: handler)
])
configuration.limits.connectionsMax = 12_000
configuration.limits.requestsPerConnectionMax = .max
let server = ConnectionServer(configuration)
_ = try server.start()
dispatchMain()
