/// The OpenAPI 3.1 description of the public listener.
enum OpenAPIDocument {
  /// The document of a service without keys, as compact JSON.
  static let open = document.bytes
  /// The document of a service with keys, where most operations need a credential.
  static let protected = document.requiringCredentials.bytes

  /// Returns the alternatives of credentials; the last one is none.
  static func security(_ schemes: [String]) -> JSONLiteral {
    .elements(schemes.map { .members([(name: $0, value: .elements([]))]) } + [.members([])])
  }

  private static var document: JSONLiteral {
    [
      "openapi": "3.1.0",
      "info": [
        "title": "LiveDelta", "version": "1",
        "description":
          "Snapshots in, deltas out: what changed in a list, as steps that a view can animate.",
      ],
      "security": security(["bearer"]),
      "paths": paths + collectionPaths,
      "components": [
        "securitySchemes": [
          "bearer": [
            "type": "http", "scheme": "bearer",
            "description":
              "The secret of a key, or a token, where the service has keys (RFC 6750).",
          ],
          "ticket": [
            "type": "apiKey", "in": "query", "name": "ticket",
            "description": "Opens one event stream where no Authorization field can be sent.",
          ],
        ],
        "schemas": requestSchemas + responseSchemas,
        "parameters": .members(
          RequestParameter.all.map { (name: $0.key, value: $0.description) }),
        "headers": .members(
          ResponseField.allCases.map { (name: $0.rawValue, value: $0.description) }),
        "responses": [
          "Problem": [
            "description": "What is wrong, where, and the limit or the mend (RFC 9457).",
            "content": content(.schema("Problem"), as: [MediaType.problem]),
          ]
        ],
      ],
    ]
  }
}

extension JSONLiteral {
  /// The same without the last alternative of each `security` that has any, which is none.
  fileprivate var requiringCredentials: JSONLiteral {
    switch self {
    case .members(let members):
      .members(
        members.map { name, value in
          guard name == "security", case .elements(let alternatives) = value else {
            return (name: name, value: value.requiringCredentials)
          }
          return (name: name, value: .elements(alternatives.dropLast()))
        })
    default: self
    }
  }
}
