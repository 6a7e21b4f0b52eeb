import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing

/// How a reader asks for what is new of one collection.
enum Asking: String, CaseIterable, Sendable {
  case poll, wait, stream, lastEventID, sync, syncWait, syncStream, syncLastEventID

  static let streams: [Asking] = [.stream, .lastEventID, .syncStream, .syncLastEventID]
}

/// A list of which some items are public, and the readers of it.
struct RestrictedReader {
  static let items =
    #"[{"id":"h1","public":false,"t":1},{"id":"v1","public":true,"t":2},{"id":"h2","public":false}]"#

  /// What a key may read, and which items of the list it sees.
  static let grants: [(scope: String, ids: [String])] = [
    ("read:u42/**", ["h1", "v1", "h2"]), ("read:u42/**?where=/public:eq:true", ["v1"]),
    ("read:u42/**?where=/public:eq:false", ["h1", "h2"]),
    ("read:u42/**?select=/public", ["h1", "v1", "h2"]),
    ("read:u42/**?where=/public:eq:true&show=meta", ["v1"]),
  ]
  static let all = grants[0].scope
  static let visible = grants[1].scope

  let server: TestServer
  /// The name of its key.
  let key: String
  /// The collection's name.
  var name = "inbox"

  var path: String { "/v1/clients/u42/collections/\(name)" }
  var field: [String: String] { Keys.field(key) }

  func get(_ rest: String = "", _ fields: [String: String] = [:]) async throws -> ClientResponse {
    try await server.send("GET", path + rest, field.merging(fields) { $1 }, on: server.reader())
  }

  /// The version that it is shown.
  func version() async throws -> String {
    let answer = try await get()
    return try #require(answer["Collection-Version"], "\(answer.text)")
  }

  /// Begins to follow a collection; the events are those of that collection.
  func follow(_ asking: Asking, _ version: String) throws -> EventReader {
    switch asking {
    case .stream: try EventReader(server.address, path + "/delta?since=\(version)", field)
    case .lastEventID:
      try EventReader(
        server.address, path + "/delta", field.merging(["Last-Event-ID": version]) { $1 })
    case .syncLastEventID:
      try EventReader(
        server.address, "/v1/clients/u42/sync?collections=\(name)",
        field.merging(["Last-Event-ID": "\(name):\(version)"]) { $1 })
    default:
      try EventReader(
        server.address, "/v1/clients/u42/sync?collections=\(name):\(version)", field)
    }
  }

  /// Asks what is new since a version; the answer about the collection.
  func ask(_ asking: Asking, _ version: String, wait: Int = 20) async throws -> JSONTree {
    switch asking {
    case .poll, .wait:
      let rest = asking == .wait ? "&wait=\(wait)" : ""
      let answer = try await get("/delta?since=\(version)" + rest)
      #expect(answer.status == 200, "\(answer.text)")
      return answer.json
    case .sync, .syncWait:
      let rest = asking == .syncWait ? #","wait":\#(wait)"# : ""
      let body = #"{"collections":{"\#(name)":"\#(version)"}\#(rest)}"#
      let answer = try await server.send(
        "POST", "/v1/clients/u42/sync", field, body, on: server.reader())
      #expect(answer.status == 200, "\(answer.text)")
      return news(answer.json, version)
    case .stream, .lastEventID, .syncStream, .syncLastEventID:
      let event = try await follow(asking, version).next()
      return try news(#require(event), version)
    }
  }

  /// The answer about the collection in an event.
  func news(_ event: SourceEvent, _ version: String = "") -> JSONTree {
    event.name == "sync" ? news(event.json, version) : event.json
  }

  private func news(_ sync: JSONTree, _ version: String) -> JSONTree {
    if let news = sync["collections"][name].ifPresent { return news }
    let isUnchanged = sync["unchanged"].elements.contains { $0.string == name }
    return isUnchanged
      ? .object(["kind": .string("unchanged"), "version": .string(version)]) : .missing
  }
}

extension JSONTree {
  /// The ids of the items that a snapshot shows.
  var shownIDs: [String] {
    self["sections"].elements.flatMap { $0["items"].elements }.compactMap { $0["id"].string }
  }

  /// The mark of the version that an answer gives; nil without one.
  var versionMark: String? {
    let parts = (self["version"].string ?? "").split(separator: ".")
    return parts.count == 4 ? String(parts[3]) : nil
  }

  /// Sees that a reader begins anew because of another restriction.
  func expectViewChange(
    _ ids: [String], isMarked: Bool, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      self["kind"].string == "snapshot" && self["reset"]["reason"].string == "view-changed",
      "\(comment): \(self)", sourceLocation: sourceLocation)
    #expect(shownIDs == ids, comment, sourceLocation: sourceLocation)
    #expect(
      (versionMark?.first == "v") == isMarked, "\(comment): \(self)", sourceLocation: sourceLocation
    )
  }
}
