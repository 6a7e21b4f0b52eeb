import CollectionService
import Foundation
import HTTP1
import HTTPTestSupport
import LiveDeltaClient
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// What the lines of the logs say, and where they go.
@Suite(.timeLimit(.minutes(10))) struct LogFormatTests {
  private let inbox = TestServer.inbox

  @Test func `a line tells when, who, why and what`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({
      $0.accessLog = pipe.log
      $0.time = TimeSource(ContinuousClock(), date: { 1_700_000_000 })
    }) { server in
      let body = #"[{"id":1}]"#
      let version = try await server.put(body)
      _ = try await server.send("PUT", inbox, [:], #"[{"id":1},{"id":1}]"#)
      _ = try await server.send("GET", inbox + "/delta?dialect=ops")
      _ = try await server.send("GET", inbox + "/delta?since=aaaaaaaa.1.\(version.suffix(16))")
      _ = try await server.send("GET", inbox + "/delta?since=\(version)")
      // Refused by its head.
      _ = try await server.send("PUT", inbox, ["Content-Type": "text/plain"], "x")
      let lines = try await pipe.lines(6)
      #expect(lines.allSatisfy { $0["time"].string == "2023-11-14T22:13:20.000Z" })
      #expect(lines.allSatisfy { $0["peer"].string == "127.0.0.1" })
      #expect(
        lines.map { $0["code"].string } == [
          nil, "duplicate-id", nil, nil, nil, "unsupported-media-type",
        ])
      #expect(
        lines.map { $0["outcome"].string } == [
          nil, nil, "snapshot", "lineage-changed", "unchanged", nil,
        ])
      #expect(
        lines.map { $0["dialect"].string } == [nil, nil, "ops", "staged", "staged", nil])
      #expect(lines[0]["bytesReceived"].int == body.utf8.count)
      #expect(lines[2]["bytesReceived"].int == nil)
    }
  }

  @Test func `an answer given again has the same members, and its own peer and id`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({ $0.accessLog = pipe.log }) { server in
      let version = try await server.put("[]")
      for _ in 0..<3 { _ = try await server.send("GET", inbox + "/delta?since=\(version)") }
      let lines = try await pipe.lines(4).dropFirst()
      #expect(Set(lines.map { $0.keys.joined(separator: " ") }).count == 1)
      #expect(lines.allSatisfy { $0["outcome"].string == "unchanged" })
      #expect(lines.allSatisfy { $0["peer"].string == "127.0.0.1" })
      #expect(Set(lines.map { $0["request"].string }).count == 3)
    }
  }

  @Test func `text has the same, as name=value`() throws {
    var text = LogText(.text)
    let request = AnsweredRequest(
      RequestRecord(nil, from: .unix(uid: nil), number: 1, start: .zero), RequestSubject(),
      status: 422, bytesSent: 7, code: "bad-json")
    text.append(
      LogEntry(
        milliseconds: 1_700_000_000_042, number: 1, microseconds: 5,
        peer: .ipv4(0x0100_007F, port: 1), request: request))
    let line = text.bytes.withBytes { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(
      line == """
        2023-11-14T22:13:20.042Z request=0000000000000001 peer=127.0.0.1 method=- kind=none \
        status=422 code=bad-json bytes=7 durationMicroseconds=5

        """)
  }

  @Test func `a file that was moved away is opened again, and no line is lost`() throws {
    let files = try TemporaryFiles()
    let path = files.path + "/access.log"
    let log = try AccessLog(path: path)
    for number in 1...3 {
      log.append(
        LogEntry(
          milliseconds: 0, number: UInt64(number), microseconds: number, peer: .unix(uid: nil),
          request: Self.request))
      log.flush()
      try FileManager.default.moveItem(atPath: path, toPath: "\(path).\(number)")
    }
    for number in 1...3 {
      let text = try String(contentsOfFile: "\(path).\(number)", encoding: .utf8)
      #expect(text.contains(#""durationMicroseconds":\#(number)}"#))
      #expect(text.split(separator: "\n").count == 1)
    }
    #expect(throws: LogFileError.self) { try AccessLog(path: files.path + "/none/access.log") }
  }

  @Test func `a file that cannot be opened again is a fault, once until it can`() throws {
    let files = try TemporaryFiles()
    let folder = files.path + "/logs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let log = try AccessLog(path: folder + "/access.log")
    let recorder = FaultRecorder()
    log.report(to: recorder.record)
    func write() {
      log.append(
        LogEntry(
          milliseconds: 0, number: 1, microseconds: 1, peer: .unix(uid: nil), request: Self.request)
      )
      log.flush()
    }
    for count in 1...2 {
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".\(count)")
      write()
      write()
      #expect(recorder.faults.map(\.kind) == Array(repeating: .accessLog, count: count))
      let text = try #require(recorder.faults.last?.text)
      #expect(text.hasSuffix("/logs/access.log: No such file or directory"))
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      write()
    }
    #expect(log.droppedCount == 0)
    for (place, count) in [("logs.1", 2), ("logs.2", 3), ("logs", 1)] {
      let text = try String(contentsOfFile: "\(files.path)/\(place)/access.log", encoding: .utf8)
      #expect(text.split(separator: "\n").count == count, "\(place)")
    }
  }

  @Test func `lines that a full disk does not take are dropped, counted and a fault`() throws {
    let log = try AccessLog(path: "/dev/full")
    let recorder = FaultRecorder()
    log.report(to: recorder.record)
    for _ in 0..<3 {
      log.append(
        LogEntry(
          milliseconds: 0, number: 1, microseconds: 1, peer: .unix(uid: nil), request: Self.request)
      )
    }
    log.flush()
    #expect(log.droppedCount == 3)
    #expect(
      recorder.faults == [
        Fault(
          .accessLog, "the log of requests: 3 lines were not written: No space left on device")
      ])
  }

  private static let request = AnsweredRequest(
    RequestRecord(nil, from: .unix(uid: nil), number: 1, start: .zero), RequestSubject(),
    status: 200, isShared: true)
}
