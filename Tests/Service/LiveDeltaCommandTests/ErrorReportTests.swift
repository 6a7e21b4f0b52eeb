import Foundation
import TestSupport
import Testing

/// What the program says when something is wrong: where, what to do, and with which exit code.
@Suite(.timeLimit(.minutes(10))) struct ErrorReportTests {
  private let files = Result { try TemporaryFiles() }

  @Test func `what is not JSON is told with file, line and column`() async throws {
    let file = try files.get().add("{\"items\": [\n  {\"id\": \"é\"},\n  {\"id\": tru}\n]}")
    for command in [
      ["put", file, "u42/a"], ["patch", file, "u42/a"], ["batch", "u42", file],
      ["settings", "set", "u42/a", "--file", file],
    ] {
      let outcome = try await Program.run(command)
      #expect(outcome.status == 65)
      #expect(outcome.errors.hasPrefix("livedelta: \(file):3:13: not JSON: "), "\(outcome.errors)")
    }
    let diff = try await Program.run("diff", file, "examples/inbox-1.json", "--json")
    let error = JSONTree(Array(diff.errors.utf8))["error"]
    #expect(error["exit"].int == 65 && diff.status == 65)
    #expect(error["file"].string == file)
    #expect(error["line"].int == 3 && error["column"].int == 13)
  }

  @Test func `what the service refuses is told with each place in the file`() async throws {
    let service = try await TestService()
    let server = service.address
    let file = try files.get().add("[{\"id\":1},\n {\"id\":\"1\"}]")
    let outcome = try await Program.run("put", file, "u42/inbox", "--server", server)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("\(file): 422 duplicate-id: "))
    #expect(outcome.errors.contains("\n  \(file):1:8: /0/id: item id \"1\"\n"))
    #expect(outcome.errors.contains("\n  \(file):2:8: /1/id: item id \"1\"\n"))
    let json = try await Program.run(
      "put", file, "u42/inbox", "--server", server, "--json")
    let error = JSONTree(Array(json.errors.utf8))["error"]
    #expect(error["status"].int == 422 && error["code"].string == "duplicate-id")
    #expect(error["places"].elements.map { $0["line"].int } == [1, 2])
    let diff = try await Program.run("diff", "examples/inbox-1.json", file)
    #expect(diff.status == 65)
    #expect(diff.errors.contains("\n  \(file):2:8: /1/id: "), "\(diff.errors)")
    await service.stop()
  }

  @Test func `a conflict shows the newest version`() async throws {
    let service = try await TestService()
    let server = service.address
    let put = ["put", "examples/inbox-1.json", "u42/inbox", "--server", server]
    let first = try await Program.run(put + ["--json"])
    let version = try #require(JSONTree(Array(first.output.utf8))["version"].string)
    let stale = put + ["--if-version", "abcdefgh.1.AAAAAAAAAAAAAAAA"]
    let outcome = try await Program.run(stale)
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("412 version-conflict"))
    #expect(outcome.errors.contains("\n  newest version: \(version)\n"))
    let json = try await Program.run(stale + ["--json"])
    #expect(JSONTree(Array(json.errors.utf8))["error"]["current"].string == version)
    await service.stop()
  }

  @Test func `what is missing is named`() async throws {
    let service = try await TestService()
    let server = ["--server", service.address]
    for command in ["get", "get -c", "rm", "versions"] {
      let words = command.split(separator: " ").map(String.init)
      let outcome = try await Program.run(words + ["u42/none"] + server)
      #expect(outcome.status == 66)
      #expect(outcome.errors.hasPrefix("livedelta: u42/none: 404 collection-not-found"))
    }
    let file = try files.get().add(
      """
      {"writes": [
        {"collection": "a", "put": []},
        {"collection": "b", "delete": true}]}
      """)
    let outcome = try await Program.run(["batch", "u42", file] + server)
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("\n  \(file):3:3: /writes/1: "), "\(outcome.errors)")
    await service.stop()
  }

  @Test func `a missing socket is named`() async throws {
    let outcome = try await Program.run("get", "u42/inbox", "--server", "unix:/nonexistent/x.sock")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("unix:/nonexistent/x.sock: there is no such socket"))
    #expect(outcome.errors.contains("serve --listen unix:/nonexistent/x.sock"))
  }

  @Test(arguments: [
    ["nonsense"], ["help", "nonsense"], ["settings", "nonsense"], ["help", "settings", "nonsense"],
  ])
  func `a command that there is not is 64`(arguments: [String]) async throws {
    let outcome = try await Program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("There is no command \"nonsense\""))
    let json = try await Program.run(arguments + ["--json"])
    #expect(json.status == 64)
    #expect(JSONTree(Array(json.errors.utf8))["error"]["exit"].int == 64)
  }

  @Test func `the nearest command is told`() async throws {
    #expect(try await Program.run("wacht").errors.contains("did you mean watch?\n"))
  }

  @Test func `a variable that no setting has is refused with the nearest name`() async throws {
    let outcome = try await Program.run(
      "serve", "--show-config", environment: ["LIVEDELTA_LIMIT_ITEMS_MAX": "7"])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("LIVEDELTA_LIMIT_ITEMS_MAX"))
    #expect(outcome.errors.contains("did you mean LIVEDELTA_LIMITS_ITEMS_MAX?"))
  }

  @Test func `what Kubernetes sets for a Service of the name is no setting`() async throws {
    let outcome = try await Program.run(
      "serve", "--show-config",
      environment: [
        "LIVEDELTA_SERVICE_HOST": "10.0.0.1", "LIVEDELTA_SERVICE_PORT_HTTP": "8080",
        "LIVEDELTA_PORT": "tcp://10.0.0.1:8080", "LIVEDELTA_PORT_8080_TCP_ADDR": "10.0.0.1",
        "LIVEDELTA_OPS_SERVICE_PORT": "8081",
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func `a wrong name in the file is told with its place and the nearest name`() async throws {
    let file = try files.get().add("{\n  \"limits\": {\"itemMax\": 7}\n}")
    let outcome = try await Program.run("serve", "--config", file)
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("\(file):2:25: there is no setting \"limits.itemMax\""))
    #expect(outcome.errors.contains("did you mean limits.itemsMax?"))
  }

  @Test(arguments: [
    ("https://app.example/", "without"), ("app.example", "scheme"),
    ("https://App.example", "lower case"), ("https://app.example:443", "left out"),
    ("https://*.app.example", "not a host"), ("https://app.example:99999", "not a port"),
    ("https://u@app.example", "no user"), ("https://bücher.example", "xn--"),
    ("https://", "not a host"),
  ])
  func `an origin that no browser sends is refused`(origin: String, fault: String) async throws {
    let outcome = try await Program.run(
      "serve", "--data", ":memory:", environment: ["LIVEDELTA_CORS_ORIGINS": origin])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("\"\(origin)\"") && outcome.errors.contains(fault))
  }

  @Test func `origins that browsers send are taken`() async throws {
    let origins =
      "*,null,https://app.example,http://localhost:3000,http://[::1]:8000,capacitor://localhost"
    let service = try await TestService(environment: ["LIVEDELTA_CORS_ORIGINS": origins])
    await service.stop()
  }

  @Test func `one kind of mistake has one exit code`() async throws {
    let service = try await TestService()
    let server = ["--server", service.address]
    let edits = #"{"edits":[{"op":"delete","ids":["none"]}]}"#
    let patch = ["patch", try files.get().add(edits), "-c", "u42/inbox"]
    let cases: [(Int32, [String])] = [
      (64, ["rm", "u42"] + server), (64, ["ls", "no/client"] + server),
      (64, ["delta", "u42/inbox", "--since", "x"] + server),
      (64, ["show", "x", "u42/inbox"] + server), (64, ["get", "x"]), (64, ["put", "-", "x"]),
      (64, ["put", "--timeout", "0", "-"] + server),
      (66, ["get", "u42/none"] + server), (66, ["rm", "u42/none"] + server),
      (66, ["versions", "u42/none"] + server),
      (66, ["put", "/nonexistent", "u42/inbox"] + server),
      (66, ["serve", "--config", "/nonexistent"]),
      (73, patch + ["--if-version", "abcdefgh.1.AAAAAAAAAAAAAAAA"] + server),
      (73, patch + server),
      (78, ["get", "u42/inbox", "--server", "ftp://x"]), (64, ["get", "-c", "x"]),
      (78, ["replay", "examples/movies.ndjson", "--server", "ftp://x"]),
    ]
    _ = try await Program.run(["put", "examples/inbox-1.json", "-c", "u42/inbox"] + server)
    for (status, arguments) in cases {
      let outcome = try await Program.run(arguments)
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(!outcome.errors.isEmpty)
    }
    await service.stop()
  }
}
