extension OpenAPIDocument {
  /// The resources of clients, and those without one.
  static var paths: JSONLiteral {
    [
      "/v1": [
        "get": operation(
          "capabilities", "What the service does, and its limits",
          responses: ["200": response("Capabilities.", [], json("Capabilities"))])
      ],
      "/v1/diff": [
        "post": operation(
          "diff", "The delta between two snapshots that are not kept",
          [.dialect, .headers, .items, .prefer], body: json("SnapshotPair"),
          responses: [
            "200": response(
              "The delta; a snapshot in that dialect.", [.preferenceApplied],
              dialects("DiffAnswer"))
          ])
      ],
      "/v1/changes": [
        "get": operation(
          "changes", "Which collections change, as server-sent events",
          [.changesSince, .changesClient, .changesPrefix, .ping, .changesLastEventID],
          responses: [
            "200": response("Events: bookmark, change, deleted, reset, ping, end.", [], events)
          ])
      ],
      "/v1/clients": [
        "get": operation(
          "clients", "The clients that have collections, by name",
          [.cursor, .limit, .clientsPrefix],
          responses: ["200": response("A page.", [], json("Clients"))])
      ],
      "/v1/clients/{client}": resource(
        [.client],
        [
          "delete": operation(
            "deleteClient", "Forget a client and all it has",
            responses: ["204": response("It has nothing any more.")])
        ]),
      "/v1/clients/{client}/collections": resource(
        [.client],
        [
          "get": operation(
            "index", "A client's collections by name", [.cursor, .limit, .shownVersion],
            responses: ["200": response("A page.", [], json("Index"))])
        ]),
      "/v1/clients/{client}/batch": resource(
        [.client],
        [
          "post": operation(
            "batch", "Several writes, all or nothing", [.idempotencyKey], body: json("Batch"),
            responses: ["200": response("What came of each.", [], json("BatchAnswer"))])
        ]),
      "/v1/clients/{client}/sync": resource([.client], sync),
      "/v1/clients/{client}/tickets": resource(
        [.client],
        [
          "post": operation(
            "ticket", "A ticket that opens one event stream", body: json("TicketRequest"),
            responses: ["200": response("The ticket.", [], json("Ticket"))])
        ]),
      "/openapi.json": [
        "get": operation(
          "contract", "This document", isOpen: true,
          responses: ["200": response("An OpenAPI 3.1 document.", [], json(.anyObject))])
      ],
      "/": ["get": inspector("root")],
      "/ui": ["get": inspector("inspector")],
      "/ui/health": [
        "get": operation(
          "health", "What the inspector shows of the service itself",
          responses: ["200": response("Numbers of /metrics.", [], json(.anyObject))])
      ],
      "/client/{version}/{file}": resource(
        [.clientVersion, .file],
        [
          "get": operation(
            "webFile", "A module of the client for browsers, or its declarations", isOpen: true,
            responses: [
              "200": response(
                "The file.", [],
                content(.string, as: WebFile.mediaTypes))
            ])
        ]),
    ]
  }

  private static func inspector(_ id: String) -> JSONLiteral {
    operation(
      id, "A page to look at collections with", isOpen: true,
      responses: ["200": response("The page.", [], content(.string, as: [MediaType.html]))])
  }

  private static var sync: JSONLiteral {
    [
      "post": operation(
        "sync", "What changed in several collections, as of one moment",
        [.dialect, .headers, .items, .prefer, .shownVersion], body: json("Sync"),
        responses: [
          "200": response(
            "What changed.", [.wait, .preferenceApplied], dialects("SyncAnswer", patch: nil))
        ]),
      "get": operation(
        "syncStream", "The same as one stream of events",
        [
          .collections, .dialect, .headers, .items, .prefer, .ping, .closeAfter, .missing,
          .syncLastEventID, .shownVersion,
        ],
        takesTicket: true,
        responses: [
          "200": response("Events: sync, ping, end.", [.preferenceApplied], events)
        ]),
    ]
  }
}
