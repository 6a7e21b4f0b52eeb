// The routes of the benchmark on Hummingbird: http-hummingbird PORT
import Hummingbird
import Logging
import Synchronization

let health = ByteBuffer(string: "{\"status\":\"ok\"}")
let document = ByteBuffer(string: "{\"text\":\"\(String(repeating: "a", count: 2037))\"}")

final class Shelf: Sendable {
  let body = Mutex<ByteBuffer>(ByteBuffer())
  let parked = Mutex<[CheckedContinuation<Void, Never>]>([])
}

let shelf = Shelf()

func json(_ body: ByteBuffer) -> Response {
  Response(
    status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
}

let router = Router()
router.get("health") { _, _ in json(health) }
router.get("document") { _, _ in json(document) }
router.put("put") { request, _ in
  let body = try await request.body.collect(upTo: 16 << 20)
  shelf.body.withLock { $0 = body }
  return Response(status: .noContent)
}
router.get("park") { _, _ in
  await withCheckedContinuation { waiting in shelf.parked.withLock { $0.append(waiting) } }
  return json(document)
}
router.get("release") { _, _ in
  let parked = shelf.parked.withLock { parked in
    defer { parked = [] }
    return parked
  }
  for waiting in parked { waiting.resume() }
  return json(ByteBuffer(string: "\(parked.count)"))
}

var logger = Logger(label: "peer")
logger.logLevel = .error
let application = Application(
  router: router,
  configuration: .init(address: .hostname("127.0.0.1", port: Int(CommandLine.arguments[1]) ?? 0)),
  logger: logger)
try await application.runService()
