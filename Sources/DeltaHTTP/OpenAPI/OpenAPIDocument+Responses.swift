extension OpenAPIDocument {
  /// What they are answered with.
  static let responseSchemas: JSONLiteral = [
    "Counts": .object(
      [
        "sectionsInserted": .count, "sectionsDeleted": .count, "sectionsMoved": .count,
        "sectionsReloaded": .count, "inserted": .count, "deleted": .count, "moved": .count,
        "reloaded": .count,
      ], optional: ["nested": .count]),
    "Receipt": .object([
      "version": .token, "seq": .integer, "previous": .nullable(.token), "changed": .boolean,
      "counts": .schema("Counts"),
    ]),
    "Reset": .object([
      "reason": .oneOf(["delta-too-large", "history-compacted", "diverged", "lineage-changed"]),
      "since": .token, "oldest": .token,
    ]),
    "SnapshotAnswer": .object(
      [
        "kind": .constant("snapshot"), "collection": .string, "version": .token, "seq": .integer,
        "sections": .array(of: ["type": "object", "required": ["items"]]),
      ], optional: ["reset": .schema("Reset"), "meta": .any, "animations": .anyObject]),
    "Unchanged": .object([
      "kind": .constant("unchanged"), "collection": .string, "version": .token, "seq": .integer,
    ]),
    "Deleted": .object([
      "kind": .constant("deleted"), "collection": .string, "version": .token, "seq": .integer,
    ]),
    "Step": .object(
      ["counts": .array(of: .count)],
      optional: [
        "delete": .object(optional: [
          "sections": .array(of: .count), "items": .array(of: .array(of: .count)),
        ]),
        "insert": .object(optional: [
          "sections": .array(
            of: .object(["at": .count, "id": .string, "items": .array(of: .string)])),
          "items": .array(of: .array),
        ]),
        "move": .object(optional: [
          "sections": .array(of: .array(of: .count)), "items": .array(of: .array(of: .count)),
        ]),
        "reload": .object(optional: ["sections": .array(of: .array), "items": .array(of: .array)]),
      ], isClosed: true),
    "Delta": .object(
      [
        "kind": .constant("delta"), "items": .anyObject, "sections": .anyObject,
        "deleted": .array(of: .string),
      ],
      optional: [
        "collection": .string, "from": .token, "to": .token, "seq": .integer, "meta": .any,
        "animations": .anyObject, "steps": .array(of: .schema("Step")),
        "nested": ["type": "object", "additionalProperties": .schema("NestedDelta")],
        "ops": .array(of: .array), "order": .array, "removed": .array(of: .string),
        "added": .array(of: .array), "changed": .array(of: .string),
        "reconfigure": .array(of: .string), "differences": .anyObject,
      ],
      description:
        "One of steps (staged), ops, order with removed, added and changed (splice), order with reconfigure (diffable), order with differences and changed (swift-diff)."
    ),
    "NestedDelta": .object([
      "path": .pointer, "kind": .constant("delta"), "steps": .array(of: .schema("Step")),
      "items": .anyObject, "sections": .anyObject, "deleted": .array(of: .string),
    ]),
    "ReadAnswer": .anyOf([
      .schema("Delta"), .schema("SnapshotAnswer"), .schema("Unchanged"), .schema("Deleted"),
    ]),
    "DiffAnswer": .anyOf([
      .schema("Delta"), .object(["kind": .constant("snapshot"), "sections": .array]),
    ]),
    "BatchAnswer": .object([
      "results": .array(
        of: .object(
          ["collection": .string, "status": .integer],
          optional: ["version": .token, "problem": .schema("Problem")]))
    ]),
    "Ticket": .object(["ticket": .string, "expires": .string]),
    "SyncAnswer": .object(
      ["kind": .constant("sync"), "collections": .anyObject, "unchanged": .array(of: .string)],
      optional: ["missing": .array(of: .string)]),
    "Clients": .object(
      ["clients": .array(of: .object(["client": .string, "collections": .integer]))],
      optional: ["next": .string]),
    "Index": .object(
      [
        "collections": .array(
          of: .object(
            ["name": .string, "version": .token, "seq": .integer, "items": .integer],
            optional: ["bytes": .integer]))
      ], optional: ["next": .string]),
    "Versions": .object([
      "collection": .string,
      "versions": .array(
        of: .object([
          "version": .token, "seq": .integer, "at": ["type": "string", "format": "date-time"],
        ])),
    ]),
    "Capabilities": .object([
      "service": .string, "protocol": .integer, "dialects": .array(of: .string),
      "preferences": .array(of: .string), "wait": .anyObject, "ping": .anyObject,
      "limits": ["type": "object", "additionalProperties": .integer],
      "settings": .object([
        "dataCountAnimationThreshold": .schema("Bounds"),
        "deltaCountAnimationThreshold": .schema("Bounds"),
        "retention": .object([
          "versions": .schema("Bounds"), "seconds": .schema("Bounds"), "bytes": .schema("Bounds"),
        ]),
      ]),
      "client": .object(["version": .string, "core": .string, "integrity": .string]),
    ]),
    "Bounds": .object(["min": .integer, "max": .integer]),
    "Problem": .object(
      [
        "type": .string, "title": .string, "status": .integer,
        "code": .oneOf(Problem.Code.allCases.map { .text($0.rawValue) }), "detail": .string,
      ],
      optional: [
        "current": .nullable(.token), "limit": .integer,
        "errors": .array(of: .object(["pointer": .string, "code": .string, "detail": .string])),
      ]),
  ]
}
