import Authentication
import CollectionService
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// `GET /openapi.json`, held against the server that sends it.
@Suite struct OpenAPITests {
  private let inbox = TestService.inbox
  private let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]

  @Test func `the contract is whole: what it refers to is there`() async throws {
    try await TestService.run { server in
      let answer = try await server.send("GET", "/openapi.json")
      #expect(answer.status == 200)
      #expect(answer["Content-Type"] == "application/json")
      let document = try JSONTree(parsing: answer.body)
      #expect(document["openapi"] == .string("3.1.0"))
      let validator = SchemaValidator(document: document)
      for reference in document.references {
        #expect(validator.resolve(reference) != nil, "\(reference)")
      }
      let operations = try known(document["paths"]).members.values.flatMap {
        $0.members.filter { $0.key != "parameters" }.values
      }
      let ids = operations.compactMap { $0["operationId"].string }
      #expect(ids.count == operations.count)
      #expect(Set(ids).count == ids.count)
    }
  }

  @Test func `the contract has every path, parameter, dialect and code, and no others`()
    async throws
  {
    try await TestService.run { server in
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      let paths = Set(RequestKind.allCases.compactMap(\.path)).union(["/"])
      #expect(Set(document["paths"].members.keys) == paths)
      let components = document["components"]
      let queries = components["parameters"].members.values.filter { $0["in"].string == "query" }
      let names = QueryParameter.allCases
      #expect(Set(queries.compactMap { $0["name"].string }) == Set(names.map(\.rawValue)))
      let schemas = components["schemas"]
      let codes = schemas["ProblemCode"]["enum"].elements.compactMap(\.string)
      #expect(codes == Problem.Code.allCases.map(\.rawValue))
      let dialects = schemas["DialectName"]["enum"].elements.compactMap(\.string)
      #expect(dialects == Dialect.allCases.map(\.name))
      let delta = document["paths"]["/v1/clients/{client}/collections/{name}/delta"]["get"]
      let types = Set(delta["responses"]["200"]["content"].members.keys)
      #expect(types == Set(Representation.offers.map(\.mediaType) + [MediaType.events]))
      #expect(schemas["Token"]["maxLength"].int == VersionToken.markedByteCountMax)
      let key = components["parameters"]["IdempotencyKey"]["schema"]
      #expect(key["maxLength"].int == IdempotencyKey.byteCountMax)
      let ping = components["parameters"]["Ping"]["description"].string ?? ""
      let (bounds, usual) = (Query.pingSeconds, Query.pingSecondsDefault)
      #expect(ping.contains("\(bounds.lowerBound) to \(bounds.upperBound), \(usual) if"))
    }
  }

  @Test func `what generators of clients trip over is not in the contract`() async throws {
    try await TestService.run { server in
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      #expect(document["servers"][0]["url"].string == "/")
      let tags = Set(document["tags"].elements.compactMap { $0["name"].string })
      for (path, item) in document["paths"].members {
        for (method, operation) in item.members where method != "parameters" {
          let given = operation["tags"].elements.compactMap(\.string)
          #expect(given.count == 1 && tags.isSuperset(of: given), "\(method) \(path)")
        }
      }
      for schema in document.schemas {
        if schema["type"].string == "array" { #expect(schema["items"].exists, "\(schema.text)") }
        let required = Set(schema["required"].elements.compactMap(\.string))
        for (name, property) in schema["properties"].members where property["const"].exists {
          #expect(required.contains(name), "\(name) of \(schema.text)")
        }
      }
      // Every component is used.
      let used = Set(document.references)
      for (kind, components) in document["components"].members where kind != "securitySchemes" {
        for name in components.members.keys {
          #expect(used.contains("#/components/\(kind)/\(name)"), "\(kind)/\(name)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("Settings", "PUT", "/settings", #"{"x":1}"#, false),
      ("Settings", "PUT", "/settings", #"{"audience":null}"#, true),
      ("Sync", "POST", "/sync", #"{"collections":{"inbox":null},"x":1}"#, false),
      ("Sync", "POST", "/sync", #"{"collections":{"inbox":{"since":null,"x":1}}}"#, false),
      ("Sync", "POST", "/sync", #"{"collections":{"inbox":"","a":{"since":""},"b":null}}"#, true),
      ("Batch", "POST", "/batch", #"{"writes":[],"x":1}"#, false),
      ("Batch", "POST", "/batch", #"{"writes":[{"collection":"a"}]}"#, false),
      ("Batch", "POST", "/batch", #"{"writes":[{"collection":"a","put":[],"edits":[]}]}"#, false),
      ("Batch", "POST", "/batch", #"{"writes":[{"collection":"a","delete":false}]}"#, false),
      ("Batch", "POST", "/batch", #"{"writes":[{"collection":"a","put":[],"x":1}]}"#, false),
      (
        "Batch", "POST", "/batch",
        #"{"writes":[{"collection":"a","put":[],"ifVersion":null,"ifNoneMatch":null}]}"#, true
      ),
      ("Snapshot", "PUT", "", #"{"items":[],"settings":null}"#, true),
      ("Snapshot", "PUT", "", #"{"items":[],"settings":{"x":1}}"#, false),
      ("Snapshot", "PUT", "", #"{"items":[],"x":1}"#, false),
      (
        "Snapshot", "PUT", "",
        #"{"kind":"snapshot","collection":"inbox","version":"x","seq":1,"sections":[],"animations":{}}"#,
        true
      ),
    ] as [(String, String, String, String, Bool)])
  func `a body fits the contract if and only if the service takes it`(
    _ schema: String, _ method: String, _ path: String, _ body: String, _ fits: Bool
  ) async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      let faults = SchemaValidator(document: document).faults(
        try JSONTree(parsing: Array(body.utf8)), document["components"]["schemas"][schema])
      #expect(faults.isEmpty == fits, "\(faults)")
      let target = ["/sync", "/batch"].contains(path) ? "/v1/clients/u42" + path : inbox + path
      let answer = try await server.send(method, target, [:], body)
      #expect((answer.status < 400) == fits, "\(answer.text)")
    }
  }

  @Test func `each resource takes the methods that the contract says, and no others`() async throws
  {
    try await TestService.run { server in
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      for (path, item) in try known(document["paths"]).members {
        let real = path.replacing("{client}", with: "u42").replacing("{name}", with: "inbox")
          .replacing("{version}", with: "latest").replacing("{file}", with: "livedelta.js")
        let allow = try await server.send("OPTIONS", real)["Allow"] ?? ""
        let methods = Set(allow.split(separator: ", ").map { $0.lowercased() })
        let told = Set(item.members.keys).subtracting(["parameters"])
        #expect(methods.subtracting(["head", "options"]) == told, "\(path)")
        #expect(methods.contains("head") == told.contains("get"), "\(path)")
      }
    }
  }

  @Test func `answers are what the contract says`() async throws {
    try await TestService.run { server in
      let document = try JSONTree(parsing: try await server.send("GET", "/openapi.json").body)
      let first = try await server.put(
        #"{"settings":{"emptySections":"drop"},"items":[{"id":1,"l":[]},{"id":2}],"meta":{}}"#)
      let second = try await server.put(#"[{"id":2},{"id":1,"l":[{"id":3}]},{"id":4}]"#)
      let batch = #"{"writes":[{"collection":"a","put":[]},{"collection":"b","delete":true}]}"#
      let strange = "zzzzzzzz.1.AAAAAAAAAAAAAAAA"
      var rows: [(String, String, [String: String], String?)] = [
        ("GET", "/client/x/y", [:], nil),
        ("GET", "/v1", [:], nil), ("GET", "/v1/clients", [:], nil),
        ("GET", "/v1/clients/u42/collections", [:], nil),
        ("GET", inbox, [:], nil), ("GET", inbox + "?version=\(first)", [:], nil),
        ("GET", inbox + "?version=x", [:], nil), ("GET", inbox + "/versions", [:], nil),
        ("POST", inbox + "/revert", [:], #"{"to":"\#(first)"}"#),
        ("POST", inbox + "/revert", [:], #"{"to":"\#(first)","x":1}"#),
        ("GET", inbox + "/settings", [:], nil), ("PUT", inbox + "/settings", [:], #"{"x":1}"#),
        ("GET", inbox + "/delta", [:], nil), ("GET", inbox + "/delta?since=\(second)", [:], nil),
        ("GET", inbox + "/delta?since=\(strange)", [:], nil),
        ("GET", inbox + "/delta?from=\(first)&to=\(second)", [:], nil),
        ("GET", inbox + "/delta", ["Accept": "text/html"], nil),
        ("PUT", inbox, [:], #"[{"id":1},{"id":1}]"#), ("PUT", inbox, [:], "["),
        ("PATCH", inbox, edits, #"{"edits":[{"op":"delete","ids":[9]}]}"#),
        ("PATCH", inbox, edits, #"{"edits":[{"op":"delete","ids":[4]}]}"#),
        ("PUT", inbox, ["If-Match": "\"\(first)\""], "[]"),
        ("POST", "/v1/diff", [:], #"{"old":[{"id":1}],"new":[{"id":2}]}"#),
        ("POST", "/v1/diff?dialect=snapshot", [:], #"{"old":[],"new":[{"id":2}]}"#),
        ("POST", "/v1/clients/u42/sync", [:], #"{"collections":{"inbox":null,"none":null}}"#),
        ("POST", "/v1/clients/u42/batch", [:], batch),
        ("DELETE", inbox + "-none", [:], nil),
      ]
      for dialect in [
        "staged", "ops", "splice", "diffable", "json-patch", "snapshot",
      ] {
        rows.append(("GET", inbox + "/delta?since=\(first)&dialect=\(dialect)", [:], nil))
        rows.append(("GET", inbox + "?dialect=\(dialect)", [:], nil))
      }
      for (method, path, fields, body) in rows {
        let answer = try await server.send(method, path, fields, body)
        let faults = try Description(document).faults(answer, method, path)
        #expect(faults == [], "\(method) \(path)")
      }
    }
  }
}

/// What the contract says of an answer.
private struct Description {
  let document: JSONTree
  private let validator: SchemaValidator

  init(_ document: JSONTree) {
    self.document = document
    validator = SchemaValidator(document: document)
  }

  /// What is wrong with an answer.
  func faults(_ answer: TestResponse, _ method: String, _ target: String) throws -> [String] {
    let responses = try known(operation(method, target)["responses"], "\(method) \(target)")
    var response = try known(responses["\(answer.status)"].ifPresent ?? responses["default"])
    if let reference = response["$ref"].string {
      response = try known(validator.resolve(reference), reference)
    }
    let type = answer["Content-Type"] ?? ""
    if answer.body.isEmpty { return !response["content"].exists ? [] : ["no content"] }
    guard let schema = response["content"][type]["schema"].ifPresent else {
      return ["\(answer.status) is not to be \(type)"]
    }
    return validator.faults(try JSONTree(parsing: answer.body), schema)
  }

  private func operation(_ method: String, _ target: String) -> JSONTree {
    let path = target.split(separator: "?")[0].split(separator: "/")
    let match = document["paths"].members.first { template, _ in
      let parts = template.split(separator: "/")
      return parts.count == path.count
        && zip(parts, path).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }
    return match?.value[method.lowercased()] ?? .missing
  }
}

extension JSONTree {
  /// All objects in it.
  fileprivate var schemas: [JSONTree] {
    if case .object = self { return [self] + members.values.flatMap(\.schemas) }
    return elements.flatMap(\.schemas)
  }

  /// All references in it.
  fileprivate var references: [String] {
    let inner = (elements + members.values).flatMap(\.references)
    return (self["$ref"].string.map { [$0] } ?? []) + inner
  }
}
