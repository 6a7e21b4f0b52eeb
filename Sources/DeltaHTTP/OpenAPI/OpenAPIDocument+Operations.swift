/// A response field in the document; the raw value is its name.
enum ResponseField: String, CaseIterable {
  case entityTag = "ETag"
  case version = "Collection-Version"
  case wait = "Collection-Wait"
  case location = "Location"
  case preferenceApplied = "Preference-Applied"

  /// The OpenAPI object that describes the field.
  var description: JSONLiteral {
    switch self {
    case .version:
      ["description": "The newest version, or the one that is asked for.", "schema": .token]
    case .wait:
      [
        "description": "How long the answer may have waited, in seconds.",
        "schema": ["type": "string", "pattern": "^[0-9]+$"],
      ]
    case .entityTag, .location, .preferenceApplied: ["schema": .string]
    }
  }
}

// Building blocks of the document's paths.

extension OpenAPIDocument {
  /// Returns a path item; `parameters` are those in its path.
  static func resource(
    _ parameters: [RequestParameter], _ operations: JSONLiteral
  ) -> JSONLiteral {
    ["parameters": references(parameters)] + operations
  }

  /// Returns an operation; its default response is a problem.
  ///
  /// `takesTicket` is whether a ticket opens it in place of a credential, `isOpen` whether it never needs one.
  static func operation(
    _ id: String, _ summary: String, _ parameters: [RequestParameter] = [],
    body: JSONLiteral? = nil, takesTicket: Bool = false, isOpen: Bool = false,
    responses: JSONLiteral
  ) -> JSONLiteral {
    var operation: JSONLiteral = ["operationId": .text(id), "summary": .text(summary)]
    if !parameters.isEmpty { operation = operation + ["parameters": references(parameters)] }
    if takesTicket { operation = operation + ["security": security(["bearer", "ticket"])] }
    if isOpen { operation = operation + ["security": []] }
    if let body { operation = operation + ["requestBody": ["required": true, "content": body]] }
    let problem: JSONLiteral = ["default": ["$ref": "#/components/responses/Problem"]]
    return operation + ["responses": responses + problem]
  }

  static func response(
    _ description: String, _ fields: [ResponseField] = [], _ content: JSONLiteral? = nil
  ) -> JSONLiteral {
    var response: JSONLiteral = ["description": .text(description)]
    if !fields.isEmpty {
      let references = fields.map { field -> (name: String, value: JSONLiteral) in
        (field.rawValue, ["$ref": .text("#/components/headers/" + field.rawValue)])
      }
      response = response + ["headers": .members(references)]
    }
    return content.map { response + ["content": $0] } ?? response
  }

  /// Returns content with one schema in several media types.
  static func content(_ schema: JSONLiteral, as types: [String]) -> JSONLiteral {
    .members(types.map { (name: $0, value: ["schema": schema]) })
  }

  static func json(_ schema: JSONLiteral) -> JSONLiteral {
    content(schema, as: [MediaType.json])
  }

  static func json(_ name: String) -> JSONLiteral { json(.schema(name)) }

  static let events = content(.string, as: [MediaType.events])

  /// Returns content in every dialect that can be negotiated.
  ///
  /// - Parameters:
  ///   - name: The schema for the dialects' own media types.
  ///   - plain: The schema for `application/json`, if it differs.
  ///   - patch: The schema for a JSON Patch; `nil` if none is sent.
  /// - Returns: An OpenAPI content object.
  static func dialects(
    _ name: String, plain: JSONLiteral? = nil, patch: String? = "JSONPatch"
  ) -> JSONLiteral {
    let offers = Representation.offers.filter { patch != nil || $0.dialect != .jsonPatch }
    return .members(
      offers.map { offer in
        let isPlain = offer.mediaType == MediaType.json
        let isPatch = offer.dialect == .jsonPatch
        let schema: JSONLiteral = .schema(isPatch ? patch ?? name : name)
        return (name: offer.mediaType, value: ["schema": isPlain ? plain ?? schema : schema])
      })
  }

  private static func references(_ parameters: [RequestParameter]) -> JSONLiteral {
    .elements(parameters.map { ["$ref": .text("#/components/parameters/" + $0.key)] })
  }
}
