extension OpenAPIDocument {
  /// The paths of a collection's resources.
  static var collectionPaths: JSONLiteral {
    let path = "/v1/clients/{client}/collections/{name}"
    let resources: [(String, JSONLiteral)] = [
      ("", collection), ("/delta", delta), ("/versions", versions), ("/settings", settings),
      ("/revert", revert),
    ]
    return .members(
      resources.map { (name: path + $0, value: resource([.client, .name], $1)) })
  }

  private static var collection: JSONLiteral {
    [
      "get": operation(
        "snapshot", "The newest version, or one that is kept",
        [.version, .dialect, .headers, .ifNoneMatch, .shownVersion],
        responses: [
          "200": response(
            "The snapshot.", [.entityTag, .version],
            dialects("SnapshotAnswer", patch: "SnapshotAnswer")),
          "304": response(
            "If-None-Match names the version.", [.entityTag, .version]),
        ]),
      "put": operation(
        "put", "Store a snapshot", writeParameters, body: json("Snapshot"), responses: written),
      "post": operation(
        "post", "Store a snapshot, or edits; for those that can only POST", writeParameters,
        body: json("Snapshot") + content(.schema("Edits"), as: [PatchLanguage.edits.rawValue]),
        responses: written),
      "patch": operation(
        "patch", "Edit the collection, by ids or by a JSON Patch", writeParameters,
        body: content(.schema("Edits"), as: [PatchLanguage.edits.rawValue])
          + content(.schema("JSONPatch"), as: [PatchLanguage.jsonPatch.rawValue]),
        responses: changed),
      "delete": operation(
        "delete", "Forget the collection",
        RequestParameter.preconditions + [.idempotencyKey],
        responses: [
          "204": response("It is gone; a later PUT starts a new lineage.", [.version])
        ]),
    ]
  }

  private static let writeParameters =
    RequestParameter.preconditions + [.idempotencyKey, .prefer, .dialect, .headers, .items]

  private static var written: JSONLiteral {
    [
      "201": response(
        "The collection is new.", [.location, .version, .preferenceApplied], receipt)
    ] + changed
  }

  private static var changed: JSONLiteral {
    [
      "200": response("The collection was there.", [.version, .preferenceApplied], receipt),
      "204": response(
        "The same, as Prefer: return=minimal asks.", [.version, .preferenceApplied]),
    ]
  }

  private static var receipt: JSONLiteral {
    dialects("ReadAnswer", plain: .anyOf([.schema("Receipt"), .schema("ReadAnswer")]))
  }

  private static var delta: JSONLiteral {
    [
      "get": operation(
        "delta", "What changed since a version, now, later or as events",
        [
          .since, .wait, .missing, .from, .to, .dialect, .headers, .items, .prefer, .ping,
          .closeAfter, .lastEventID, .shownVersion,
        ],
        takesTicket: true,
        responses: [
          "200": response(
            "What changed. Events: delta, snapshot, deleted, bookmark, ping, end.",
            [.version, .wait, .preferenceApplied], dialects("ReadAnswer") + events)
        ])
    ]
  }

  private static var versions: JSONLiteral {
    [
      "get": operation(
        "versions", "The versions that are kept, the newest first", [.limit, .shownVersion],
        responses: ["200": response("The versions.", [.version], json("Versions"))])
    ]
  }

  private static var revert: JSONLiteral {
    [
      "post": operation(
        "revert", "Make a kept version's content the newest", writeParameters,
        body: json("Revert"), responses: changed)
    ]
  }

  private static var settings: JSONLiteral {
    let shown: JSONLiteral = [
      "200": response("All settings, defaults too.", [.version], json("Settings"))
    ]
    return [
      "get": operation(
        "settings", "How the collection is read and shown", [.shownVersion], responses: shown),
      "put": operation(
        "putSettings", "Replace the settings",
        RequestParameter.preconditions + [.idempotencyKey],
        body: json("Settings"), responses: shown),
      "patch": operation(
        "patchSettings", "Merge into the settings (RFC 7396)",
        RequestParameter.preconditions + [.idempotencyKey],
        body: content(
          .schema("Settings"), as: [MediaType.mergePatch, MediaType.json]),
        responses: shown),
    ]
  }
}
