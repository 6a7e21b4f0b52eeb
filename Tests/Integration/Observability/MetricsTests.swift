import CollectionService
import DeltaHTTP
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import SnapshotJSON
import TestSupport
import Testing
import VersionedCollections

/// `/metrics`, and what is built on it.
@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
  private static let deploy = Program.root.appending(path: "deploy")

  private static func contents(_ path: String) throws -> String {
    try String(contentsOf: deploy.appending(path: path), encoding: .utf8)
  }

  /// The metrics of a service that has been used.
  private static func metrics(accept: String = "") async throws -> ClientResponse {
    var metrics: ClientResponse?
    try await TestServer.run { server in
      let version = try await server.put(#"[{"id":1},{"id":2}]"#)
      _ = try await server.put(#"[{"id":2},{"id":1,"a":2},{"id":3}]"#)
      _ = try await server.send("GET", TestServer.inbox + "/delta?since=\(version)&dialect=ops")
      _ = try await server.send("GET", TestServer.inbox + "/delta?since=\(version)&dialect=ops")
      _ = try await server.send("PUT", TestServer.inbox, [:], "[")
      let fields = accept.isEmpty ? [] : [HeaderField("Accept", accept)]
      metrics = try await DeltaClient(server.operations, transport: CurlTransport()).request(
        "GET", "/metrics", fields: fields)
    }
    return try #require(metrics)
  }

  @Test func `they tell what happened, and name nobody`() async throws {
    let answer = try await Self.metrics()
    #expect(answer["Content-Type"] == "text/plain; version=0.0.4")
    for line in [
      #"livedelta_answers_total{dialect="ops",outcome="delta"} 2"#,
      #"livedelta_http_requests_total{kind="collection",status="400"} 1"#,
      "livedelta_deltas_total 1", "livedelta_delta_duration_seconds_count 1",
      "livedelta_store_commit_duration_seconds_count 2", "livedelta_ready 1",
      "livedelta_ready_writes 1", "livedelta_notices_arrive 1",
      "livedelta_draining 0", "livedelta_oldest_wait_seconds 0.0",
      #"livedelta_cache_lookups_total{result="miss"} 2"#, "livedelta_delta_changes_total 3",
      "livedelta_http_received_bytes_total 54",
    ] {
      #expect(answer.text.contains(line + "\n"), "\(line)")
    }
    #expect(!answer.text.contains("u42") && !answer.text.contains("inbox"))
  }

  @Test func `the oldest of those who wait is told, and how long each took to hear`()
    async throws
  {
    let clock = ManualClock()
    try await TestServer.run({ $0.time = TimeSource(clock) }) { server in
      let version = try await server.put("[]")
      clock.advance(by: .seconds(5))
      let reader = try RawConnection(server.address)
      await reader.send("GET", TestServer.inbox + "/delta?since=\(version)&wait=50")
      try await server.untilParked()
      clock.advance(by: .seconds(30))
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      let waiting = try await operations.request("GET", "/metrics").text
      #expect(waiting.contains("livedelta_oldest_wait_seconds 30.0\n"))
      #expect(waiting.contains("livedelta_long_polls 1\n"))
      _ = try await server.put(#"[{"id":1}]"#)
      _ = try await reader.response()
      let told = try await operations.request("GET", "/metrics").text
      #expect(told.contains("livedelta_wake_duration_seconds_count 1\n"))
      #expect(told.contains("livedelta_oldest_wait_seconds 0.0\n"))
    }
  }

  @Test func `OpenMetrics is there for who asks for it`() async throws {
    let accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"
    let answer = try await Self.metrics(accept: accept)
    #expect(
      answer["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    #expect(answer.text.hasSuffix("\n# EOF\n"))
    #expect(answer.text.contains("# TYPE livedelta_deltas counter\n"))
    #expect(answer.text.contains("livedelta_deltas_total 1\n"))
    let plain = try await Self.metrics(
      accept: "text/plain,application/openmetrics-text;q=0.5,*/*;q=0.1")
    #expect(plain["Content-Type"] == "text/plain; version=0.0.4")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/promtool")))
  func `promtool has nothing to say about metrics and rules`() async throws {
    let files = try TemporaryFiles()
    let file = try files.add(try await Self.metrics().text, named: "metrics")
    let metrics = try await Program.shell("promtool check metrics < \(file)")
    #expect(metrics.status == 0 && metrics.errors.isEmpty, "\(metrics.errors)\(metrics.output)")
    let rules = try await Program.shell(
      "cd deploy/prometheus && promtool check rules alerts.yml && promtool test rules alerts.test.yml"
    )
    #expect(rules.status == 0, "\(rules.errors)\(rules.output)")
  }

  @Test func `every metric of the board and the alerts is one that the service has`()
    async throws
  {
    let families = Set(
      try await Self.metrics().text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        .map { $0.split(separator: " ")[2] })
    let board = JSONTree(Array(try Self.contents("grafana/livedelta.json").utf8))
    let expressions = board["panels"].elements.flatMap { $0["targets"].elements }
      .compactMap { $0["expr"].string }
    #expect(expressions.count > 30)
    for text in expressions + [try Self.contents("prometheus/alerts.yml")] {
      let names = text.matches(of: /\b(livedelta|process)_[a-z_]+/).map(\.output.0)
      #expect(!names.isEmpty, "\(text)")
      for name in names {
        let family = name.replacing(/_(bucket|sum|count)$/, with: "")
        #expect(families.contains(family[...]) || families.contains(name), "\(name)")
      }
    }
  }

  @Test func `every alert has a section in the runbook, and a test`() throws {
    let page = try String(
      contentsOf: Program.root.appending(path: "docs/runbook.md"), encoding: .utf8)
    let sections = Set(page.matches(of: /\n## (\w+)\n/).map(\.output.1))
    let alerts = try Self.contents("prometheus/alerts.yml").matches(of: /- alert: (\w+)/)
      .map(\.output.1)
    #expect(alerts.count > 10)
    #expect(sections == Set(alerts))
    let tests = try Self.contents("prometheus/alerts.test.yml")
    for alert in alerts {
      #expect(tests.contains("name: \(alert) fires\n"))
      #expect(tests.contains("name: \(alert) is quiet\n"))
      #expect(
        try Self.contents("prometheus/alerts.yml")
          .contains("docs/runbook.md#\(alert.lowercased())\n"))
    }
  }
}
