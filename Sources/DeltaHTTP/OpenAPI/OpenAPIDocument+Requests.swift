import Authentication
import VersionedCollections

extension OpenAPIDocument {
  /// The schemas of request bodies.
  static let requestSchemas: JSONLiteral = [
    "Token": .inlineToken + ["description": "lineage.seq.digest; opaque"],
    "ID": .anyOf([["type": "string", "minLength": 1, "maxLength": 256], .integer]),
    "Item": .object(["id": .id]),
    "Section": .object(["id": .id, "items": .array(of: .schema("Item"))]),
    "Snapshot": .anyOf([
      .array(of: .schema("Item")),
      .object(
        ["items": .array(of: .schema("Item"))],
        optional: ["meta": .any, "settings": .schema("Settings")], isClosed: true),
      .object(
        ["sections": .array(of: .schema("Section"))],
        optional: ["meta": .any, "settings": .schema("Settings")], isClosed: true),
    ]),
    "SnapshotPair": .object(
      ["old": .schema("Snapshot"), "new": .schema("Snapshot")], isClosed: true),
    "Edits": .object(
      [
        "edits": [
          "type": "array", "maxItems": .number(ServiceLimits().editsMax), "items": .schema("Edit"),
        ]
      ], isClosed: true),
    "Edit": .object(
      [
        "op": .oneOf([
          "insert", "append", "upsert", "merge", "move", "swap", "delete", "reload", "reverse",
          "insertSection", "moveSection", "updateSection", "deleteSection",
        ])
      ],
      optional: [
        "section": .id, "id": .id, "ids": .array(of: .id), "items": .array(of: .schema("Item")),
        "value": .anyObject, "at": .count, "before": .id, "after": .id, "first": .constant(true),
        "last": .constant(true), "missing": .constant("ignore"),
      ]),
    "JSONPatch": .array(
      of: .object(
        ["op": .oneOf(["add", "remove", "replace", "move", "copy", "test"]), "path": .pointer],
        optional: ["from": .pointer, "value": .any])),
    "Revert": .object(["to": .token], isClosed: true),
    "Batch": .object(
      [
        "writes": [
          "type": "array", "maxItems": .number(ServiceLimits().collectionsPerClientMax),
          "items": .object(
            ["collection": .resourceName],
            optional: [
              "put": .schema("Snapshot"), "edits": .array(of: .schema("Edit")),
              "delete": .constant(true), "ifVersion": .nullable(.token),
              "ifNoneMatch": .constant("*"),
            ]),
        ]
      ], optional: ["atomic": .boolean]),
    "TicketRequest": .object(
      [
        "collections": [
          "type": "array", "minItems": 1, "maxItems": .number(Tickets.collectionsMax),
          "items": .resourceName,
        ]
      ], isClosed: true),
    "Sync": .object(
      [
        "collections": [
          "type": "object", "minProperties": 1,
          "maxProperties": .number(ServiceLimits().collectionsPerClientMax),
          "propertyNames": .resourceName, "additionalProperties": .nullable(.token),
        ]
      ], optional: ["wait": .integer]),
    "Settings": .object(optional: [
      "identity": .oneOf(["unique", "occurrence", nil]),
      "equality": .object(optional: ["ignore": .array(of: .pointer)], isClosed: true),
      "idPath": .pointer, "itemsPath": .pointer, "sectionsPath": .pointer,
      "sectionBy": .anyOf([
        .pointer,
        .object(
          ["path": .anyOf([.pointer, ["type": "array", "minItems": 1, "items": .pointer]])],
          optional: ["headerFrom": .array(of: .pointer), "other": .string], isClosed: true),
      ]),
      "sortBy": .array(
        of: .object(
          ["path": .pointer],
          optional: [
            "order": .oneOf(["asc", "desc"]), "type": .oneOf(["text", "number", "date"]),
            "fold": .boolean, "natural": .boolean,
          ], isClosed: true)), "emptySections": .oneOf(["keep", "drop", nil]),
      "nested": .object(["path": .pointer], optional: ["idPath": .pointer], isClosed: true),
      "dataCountAnimationThreshold": .count, "deltaCountAnimationThreshold": .count,
      "animations": .anyObject,
      "retention": .object(
        optional: [
          "versions": ["type": "integer", "minimum": 1], "seconds": .count, "bytes": .count,
        ], isClosed: true),
    ]),
  ]
}
