import CollectionService
import HTTP1
import Synchronization

/// The resources of the operations listener.
struct OperationsRoutes: Sendable {
  let service: DeltaService
  let lifecycle: Lifecycle

  /// Serves one request.
  func handle(_ exchange: Exchange) {
    let request = exchange.request
    let path = String(decoding: request.path, as: UTF8.self)
    guard ["/livez", "/readyz", "/metrics"].contains(path) else {
      return exchange.reply(.notFound)
    }
    guard request.method == .get || request.method == .head else {
      return exchange.reply(.methodNotAllowed("GET, HEAD"))
    }
    switch path {
    case "/livez": exchange.reply(state(200, "live"))
    case "/readyz": exchange.reply(readiness())
    default: exchange.reply(metrics())
    }
  }

  private func readiness() -> HTTPResponse {
    if lifecycle.isDraining { return state(503, "draining") }
    return service.isReady ? state(200, "ready") : state(503, "store-unavailable")
  }

  private func state(_ status: Int, _ state: String) -> HTTPResponse {
    var response = HTTPResponse.json(
      Array("{\"status\":\"\(state)\"}".utf8), status: status, cache: "no-store")
    if status == 503 { response.setField("Retry-After", 5) }
    return response
  }

  private func metrics() -> HTTPResponse {
    var response = HTTPResponse(
      status: 200, body: .bytes(Array(MetricsText.text(service.counters).utf8)))
    response.setField("Content-Type", "text/plain; version=0.0.4")
    response.setField("Cache-Control", "no-store")
    return response
  }
}

/// Whether the server is on its way out; shared by both listeners.
final class Lifecycle: Sendable {
  private let draining = Atomic<Bool>(false)

  var isDraining: Bool { draining.load(ordering: .acquiring) }

  /// - Returns: false when it was draining already.
  func beginDraining() -> Bool { !draining.exchange(true, ordering: .acquiringAndReleasing) }
}
