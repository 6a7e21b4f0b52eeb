import CollectionService
import HTTP1
import SnapshotJSON

extension PublicRoutes {
  /// `GET PUT PATCH …/settings`.
  func settings(_ key: CollectionKey, _ exchange: Exchange) throws(Problem) {
    let body = exchange.request.body
    switch exchange.request.method {
    case .put: try configure(key, .settings(body: body, isPatch: false), exchange)
    case .patch: try configure(key, .settings(body: body, isPatch: true), exchange)
    default: tellSettings(key, exchange, cache: "private, no-cache")
    }
  }

  private func configure(
    _ key: CollectionKey, _ change: WriteRequest.Change, _ exchange: Exchange
  ) throws(Problem) {
    var request = WriteRequest(change, precondition: try Precondition(exchange.request))
    request.requestID = exchange.requestID
    service.write(key, request) { result in
      switch result {
      case .success: tellSettings(key, exchange, cache: "no-store")
      case .failure(let failure): exchange.reply(Problem(failure))
      }
    }
  }

  private func tellSettings(_ key: CollectionKey, _ exchange: Exchange, cache: String) {
    let limits = service.limits
    service.settings(of: key, requestID: exchange.requestID) { result in
      switch result {
      case .success((let settings, let version)):
        var writer = JSONWriter()
        writer.write(settings, limits: limits)
        var response = HTTPResponse.json(writer.bytes, cache: cache)
        response.setField("Collection-Version", version.description)
        exchange.reply(response)
      case .failure(let failure): exchange.reply(Problem(failure))
      }
    }
  }
}
