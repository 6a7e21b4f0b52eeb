import VersionedCollections

// The parts of JSON Schema (draft 2020-12) that the document uses.

extension JSONLiteral {
  static let any: JSONLiteral = [:]
  static let string: JSONLiteral = ["type": "string"]
  static let boolean: JSONLiteral = ["type": "boolean"]
  static let integer: JSONLiteral = ["type": "integer"]
  static let count: JSONLiteral = ["type": "integer", "minimum": 0]
  static let array: JSONLiteral = ["type": "array"]
  static let anyObject: JSONLiteral = ["type": "object"]

  /// A reference to a schema in the document's components.
  static func schema(_ name: String) -> JSONLiteral {
    ["$ref": .text("#/components/schemas/" + name)]
  }

  static let token = schema("Token")
  static let id = schema("ID")

  /// The schema of a version token outside JSON bodies.
  static let inlineToken: JSONLiteral = [
    "type": "string", "maxLength": .number(VersionToken.byteCountMax),
    "pattern": #"^[A-Za-z0-9_-]+\.[1-9][0-9]*\.[A-Za-z0-9_-]{16}$"#,
  ]

  static let resourceName: JSONLiteral = [
    "type": "string", "minLength": 1, "maxLength": 128,
    "pattern": "^[A-Za-z0-9_~:@-][A-Za-z0-9._~:@-]*$",
  ]

  /// A JSON Pointer (RFC 6901).
  static let pointer: JSONLiteral = ["type": "string", "pattern": "^(/([^~/]|~[01])*)*$"]

  static func constant(_ value: JSONLiteral) -> JSONLiteral { ["const": value] }
  static func oneOf(_ values: [JSONLiteral]) -> JSONLiteral { ["enum": .elements(values)] }
  static func anyOf(_ schemas: [JSONLiteral]) -> JSONLiteral { ["anyOf": .elements(schemas)] }

  static func nullable(_ schema: JSONLiteral) -> JSONLiteral {
    anyOf([schema, ["type": "null"]])
  }

  static func array(of items: JSONLiteral) -> JSONLiteral { ["type": "array", "items": items] }

  /// The schema of an object, which may have additional members unless `isClosed` is set.
  static func object(
    _ required: KeyValuePairs<String, JSONLiteral> = [:],
    optional: KeyValuePairs<String, JSONLiteral> = [:], isClosed: Bool = false,
    description: String? = nil
  ) -> JSONLiteral {
    let properties = (Array(required) + Array(optional)).map { (name: $0.key, value: $0.value) }
    var schema: JSONLiteral = ["type": "object", "properties": .members(properties)]
    if !required.isEmpty {
      schema = schema + ["required": .elements(required.map { .text($0.key) })]
    }
    if isClosed { schema = schema + ["additionalProperties": false] }
    if let description { schema = schema + ["description": .text(description)] }
    return schema
  }
}
