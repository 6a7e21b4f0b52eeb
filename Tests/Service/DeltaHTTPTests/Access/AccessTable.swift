import Authentication
import HTTP1

@testable import DeltaHTTP

/// The scope that each route and method requires, as shown in `docs/auth.md`.
struct AccessTable {
  /// A route with the methods that require the same scope.
  struct Row {
    /// The methods.
    var methods: [String]
    /// The path, with the placeholders `{client}` and `{name}`.
    var path: String
    /// Whether the route belongs to the operations listener.
    var isOperations: Bool
    /// The required scope as it is written; `any` for any credential, `–` for none.
    var scope: String

    /// The row in a Markdown table.
    var line: String {
      "| \(isOperations ? "operations" : "public") | `\(methods.joined(separator: "`, `"))` "
        + "| `\(path)` | \(scope) |"
    }
  }

  /// All rows, those of the public listener first.
  static let rows: [Row] = publicRows + operationsRows

  private static let client = "/v1/clients/{client}"
  private static let publicPaths = [
    "/openapi.json", "/", "/ui", "/ui/health", "/client/{version}/{file}", "/v1",
    "/v1/diff", "/v1/changes", "/v1/clients", client, client + "/collections",
    client + "/batch", client + "/sync", client + "/collections/{name}",
    client + "/collections/{name}/delta", client + "/collections/{name}/versions",
    client + "/collections/{name}/settings", client + "/collections/{name}/revert",
  ]

  private static var publicRows: [Row] {
    publicPaths.flatMap { path -> [Row] in
      let real = path.replacing("{client}", with: "client").replacing("{name}", with: "name")
      // An error means that the paths above are not those of the routes.
      guard let route = try? Route(path: Array(real.utf8)[...]) else {
        preconditionFailure("no route has the path \(path)")
      }
      return merged(path, route.methods + [.options], isOperations: false) { route.requirement($0) }
    }
  }

  private static var operationsRows: [Row] {
    [
      "/livez", "/readyz", "/readyz/writes", "/metrics",
      "/drain", "/compact", "/clients", "/clients/{client}",
    ].flatMap { path -> [Row] in
      let real = path.replacing("{client}", with: "client")
      guard let route = OperationsRoute(path: Array(real.utf8)[...]) else {
        preconditionFailure("no route has the path \(path)")
      }
      return merged(path, route.methods + [.options], isOperations: true) { route.requirement($0) }
    }
  }

  /// Returns a row for each distinct requirement.
  private static func merged(
    _ path: String, _ methods: [HTTPMethod], isOperations: Bool,
    requirement: (HTTPMethod) -> Requirement
  ) -> [Row] {
    var rows: [Row] = []
    for method in methods {
      let scope = text(requirement(method))
      if let index = rows.firstIndex(where: { $0.scope == scope }) {
        rows[index].methods.append(method.rawValue)
      } else {
        rows.append(
          Row(methods: [method.rawValue], path: path, isOperations: isOperations, scope: scope))
      }
    }
    return rows
  }

  private static func text(_ requirement: Requirement) -> String {
    switch requirement {
    case .nothing: "–"
    case .credential: "any"
    case .changes: "`changes`"
    case .admin: "`admin`"
    case .administration(let access, _): "`admin` and `\(access.rawValue):{client}/**`"
    case .collection(let access, _, _): "`\(access.rawValue):{client}/{name}`"
    case .someCollections(let access, _):
      "`\(access.rawValue):{client}/…` for each collection that it names"
    case .allCollections(let access, _): "`\(access.rawValue):{client}/**`"
    }
  }
}
