/// The resource of a request, without the names in it.
enum RequestKind: UInt8, CaseIterable, Sendable {
  case capabilities, contract, inspector, health, webFile, diff, changes, clients, client,
    index, batch, sync, collection, delta, events, versions, settings, revert
  /// A resource of the operations listener.
  case operations
  /// Nothing that is served, or no request that could be read.
  case none

  private static let names = allCases.map { "\($0)" }

  /// Its name in the log and the metrics.
  var name: String { Self.names[Int(rawValue)] }

  /// The path with placeholders in place of names; `nil` for what is not served to clients.
  var path: String? {
    switch self {
    case .capabilities: "/v1"
    case .contract: "/openapi.json"
    case .inspector: "/ui"
    case .health: "/ui/health"
    case .webFile: "/client/{version}/{file}"
    case .diff, .changes, .clients: "/v1/" + name
    case .client: Self.clientPath
    case .index: Self.clientPath + "/collections"
    case .batch, .sync: Self.clientPath + "/" + name
    case .collection: Self.collectionPath
    case .delta, .events: Self.collectionPath + "/delta"
    case .versions, .settings, .revert: Self.collectionPath + "/" + name
    case .operations, .none: nil
    }
  }

  private static let clientPath = "/v1/clients/{client}"
  private static let collectionPath = clientPath + "/collections/{name}"
}
