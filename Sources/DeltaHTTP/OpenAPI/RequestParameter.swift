import CollectionService
import VersionedCollections

/// A parameter of a request as the document describes it.
struct RequestParameter: Sendable {
  /// Its name among the document's components.
  let key: String
  /// The OpenAPI object that describes it.
  let description: JSONLiteral

  /// A parameter of the query.
  init(
    _ key: String, _ name: QueryParameter, _ text: String, _ schema: JSONLiteral,
    isRequired: Bool = false
  ) {
    self.init(key, name: name.rawValue, in: "query", text, schema, isRequired: isRequired)
  }

  /// A field of the head.
  init(_ key: String, field name: String, _ text: String, _ schema: JSONLiteral) {
    self.init(key, name: name, in: "header", text, schema, isRequired: false)
  }

  private init(
    _ key: String, name: String, in place: String, _ text: String, _ schema: JSONLiteral,
    isRequired: Bool
  ) {
    self.key = key
    let description: JSONLiteral = [
      "name": .text(name), "in": .text(place), "description": .text(text), "schema": schema,
    ]
    self.description = isRequired ? description + ["required": true] : description
  }
}

extension RequestParameter {
  static let client = RequestParameter(
    "Client", name: "client", in: "path", "The owner of the collections.", .resourceName,
    isRequired: true)
  static let name = RequestParameter(
    "Name", name: "name", in: "path", "The collection.", .resourceName, isRequired: true)
  static let clientVersion = RequestParameter(
    "ClientVersion", name: "version", in: "path", "As GET /v1 tells it, or latest.", .string,
    isRequired: true)
  static let file = RequestParameter(
    "File", name: "file", in: "path", "As livedelta.js.", .string, isRequired: true)
  static let since = RequestParameter(
    "Since", .since, "The version that the reader holds; none for the initial load.", .inlineToken)
  static let version = RequestParameter(
    "Version", .version, "A kept version, in place of the newest.", .inlineToken)
  static let from = RequestParameter(
    "From", .from, "With to: the version that the delta starts from.", .inlineToken)
  static let to = RequestParameter(
    "To", .to, "With from: the version that it ends at.", .inlineToken)
  static let wait = RequestParameter(
    "Wait", .wait, "Seconds to wait for news; clamped to 0 to \(ServiceLimits().waitSecondsMax).",
    .queryNumber())
  static let missing = RequestParameter(
    "Missing", .missing, "Wait for a collection that does not exist.", .constant("wait"))
  static let dialect = RequestParameter(
    "Dialect", .dialect, "The dialect of deltas, for clients that cannot set Accept.",
    .oneOf(Dialect.allCases.map { .text($0.name) }))
  static let headers = RequestParameter(
    "Headers", .headers, "1: the dialect ops counts a section's header as a row.",
    .oneOf(["0", "1"]))
  static let items = RequestParameter(
    "Items", .items,
    "Changed items may be merge patches; for clients that cannot set Prefer.", .constant("patch"))
  static let ping = RequestParameter(
    "Ping", .ping,
    "Seconds between signs of life of a stream; clamped to \(Query.pingSeconds.lowerBound) to "
      + "\(Query.pingSeconds.upperBound), \(Query.pingSecondsDefault) without.", .queryNumber())
  static let closeAfter = RequestParameter(
    "CloseAfter", .closeAfter, "End a stream after one event.", .constant("event"))
  static let collections = RequestParameter(
    "Collections", .collections, "name:version, or name: for none, joined by commas.",
    ["type": "string", "minLength": 1], isRequired: true)
  static let cursor = RequestParameter(
    "Cursor", .cursor, "What next was in the last page.", .anyOf([.resourceName, .constant("")]))
  static let limit = RequestParameter(
    "Limit", .limit,
    "The most on a page; of an index \(WireLimits().indexPageDefault) without, and at most "
      + "\(WireLimits().indexPageMax).", .queryNumber(from: 1))
  static let lastEventID = RequestParameter(
    "LastEventID", field: "Last-Event-ID",
    "Wins over since; what a browser sends when it comes back.", .inlineToken)
  static let syncLastEventID = RequestParameter(
    "SyncLastEventID", field: "Last-Event-ID",
    "The id of the last event; what a browser sends when it comes back.", .string)
  static let changesLastEventID = RequestParameter(
    "ChangesLastEventID", field: "Last-Event-ID", "Wins over since.", .changeMark)
  static let changesSince = RequestParameter(
    "ChangesSince", .since, "The id of the last event.", .changeMark)
  static let changesClient = RequestParameter(
    "ChangesClient", .client, "Only this client's collections.", .resourceName)
  static let changesPrefix = RequestParameter(
    "ChangesPrefix", .prefix,
    "Only collections whose names begin so; without client, whose client/name does.", .string)
  static let clientsPrefix = RequestParameter(
    "ClientsPrefix", .prefix, "Only clients whose names begin so.", .string)
  static let ifMatch = RequestParameter(
    "IfMatch", field: "If-Match", "Only if the newest version is this; in quotes.", .string)
  static let ifNoneMatch = RequestParameter(
    "IfNoneMatch", field: "If-None-Match",
    "* on a write: only create. On a read: 304 if the newest version is this.", .string)
  static let ifVersion = RequestParameter(
    "CollectionIfVersion", field: "Collection-If-Version", "Only if the newest version is this.",
    .inlineToken)
  static let shownVersion = RequestParameter(
    "CollectionVersion", field: "Collection-Version",
    "A version that the caller has seen, such as that of its last write: no replica's answer is older.",
    .inlineToken)
  static let idempotencyKey = RequestParameter(
    "IdempotencyKey", field: "Idempotency-Key", "The same request again gets the first answer.",
    ["type": "string", "minLength": 1, "maxLength": .number(IdempotencyKey.byteCountMax)])
  static let prefer = RequestParameter(
    "Prefer", field: "Prefer",
    "return=minimal, representation or delta on writes; handling=strict on reads; items=patch "
      + "where there are deltas.", .string)

  /// What makes a write depend on the newest version.
  static let preconditions = [ifMatch, ifNoneMatch, ifVersion]

  static let all = [
    client, name, clientVersion, file, since, version, from, to, wait, missing, dialect, headers,
    items, ping, closeAfter, collections, changesClient, changesPrefix, clientsPrefix, cursor,
    limit, lastEventID, syncLastEventID, changesLastEventID, changesSince, ifMatch,
    ifNoneMatch, ifVersion, shownVersion, idempotencyKey, prefer,
  ]
}

extension JSONLiteral {
  /// A whole number that a query can hold.
  fileprivate static func queryNumber(from minimum: Int = -Query.numberMax) -> JSONLiteral {
    ["type": "integer", "minimum": .number(minimum), "maximum": .number(Query.numberMax)]
  }

  /// The id of an event of the feed of changes.
  fileprivate static let changeMark: JSONLiteral = [
    "type": "string", "pattern": #"^[0-9a-z]{8}\.[0-9]{1,18}$"#,
  ]
}
