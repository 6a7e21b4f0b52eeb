import Foundation
import LiveDeltaClient
import Subprocess
import TestSupport
import Testing

/// `livedelta copy`, from one store to another.
@Suite(.timeLimit(.minutes(10))) struct CopyTests {
  @Test func `a copy of a directory shows what is damaged in it`() async throws {
    let files = try TemporaryFiles()
    let (source, target) = (files.path + "/source", files.path + "/target")
    let service = try await TestService("--data", source)
    for name in ["u42/inbox", "u42/other"] {
      try await service.client().put(Array("[]".utf8), to: try CollectionAddress(name))
    }
    await service.stop()
    let damage = """
      import sqlite3
      with sqlite3.connect("\(source)/livedelta.sqlite") as db:
        db.execute("UPDATE collection SET name = 'in box' WHERE name = 'inbox'")
      """
    let damaging = try await Subprocess.run(
      .name("python3"), arguments: ["-c", damage], output: .discarded)
    try #require(damaging.terminationStatus.isSuccess)
    let outcome = try await Program.run("copy", "--from", source, "--to", target)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "livedelta: u42: 1 collections of the client have damaged names\n"), "\(outcome.errors)")
  }

  @Test func `a back-up is restored in place of what is there, once no service runs`() async throws
  {
    let files = try TemporaryFiles()
    let (data, backup) = (files.path + "/data", files.path + "/monday.sqlite")
    let inbox = try CollectionAddress("u42/inbox")
    let service = try await TestService("--data", data)
    try await service.client().put(Array(#"[{"id":1}]"#.utf8), to: inbox)
    #expect(try await Program.run("backup", backup, "--data", data).status == 0)
    try await service.client().put(Array(#"[{"id":2}]"#.utf8), to: inbox)
    let early = try await Program.run("restore", backup, "--data", data)
    #expect(early.status == 75 && early.errors.contains("is in use"), "\(early)")
    await service.stop()
    let restored = try await Program.run("restore", backup, "--data", data, "--json")
    let report = JSONTree(Array(restored.output.utf8))
    #expect(restored.status == 0 && report["collections"].int == 1, "\(restored)")
    #expect(report["kept"].elements.first?.string?.contains("livedelta.sqlite.before-") == true)
    let missing = try await Program.run("restore", backup + "x", "--data", data)
    #expect(missing.status == 66, "\(missing)")
    let again = try await TestService("--data", data)
    let shown = try await Program.run("get", "u42/inbox", "--server", again.address, "--json")
    #expect(shown.output.contains(#"{"id":1}"#), "\(shown)")
    await again.stop()
  }

  @Test func `a directory is copied whole, once`() async throws {
    let files = try TemporaryFiles()
    let (source, target) = (files.path + "/source", files.path + "/target")
    let service = try await TestService("--data", source)
    for name in ["u42/inbox", "u7/list"] {
      try await service.client().put(Array("[]".utf8), to: try CollectionAddress(name))
    }
    await service.stop()
    let copy = try await Program.run("copy", "--from", source, "--to", target)
    #expect(copy.output == "2 collections copied, 0 already there\n", "\(copy)")
    let again = try await Program.run("copy", "--from", source, "--to", target, "--json")
    #expect(JSONTree(Array(again.output.utf8))["present"].int == 2, "\(again)")
  }

  @Test func `a client is exported and imported, once, and its readers go on`() async throws {
    let files = try TemporaryFiles()
    let (source, target, file) = (
      files.path + "/source", files.path + "/target", files.path + "/u42.ndjson"
    )
    let inbox = try CollectionAddress("u42/inbox")
    let service = try await TestService("--data", source)
    try await service.client().put(Array("[]".utf8), to: try CollectionAddress("u7/list"))
    let first = try await service.client().put(Array(#"[{"id":1}]"#.utf8), to: inbox).value.version
    try await service.client().put(Array(#"[{"id":2}]"#.utf8), to: inbox)
    await service.stop()
    let export = try await Program.run("export", "u42", "--data", source)
    let images = export.lines.filter { $0.contains(#""image":"#) }
    #expect(export.status == 0 && images.count == 1, "\(export)")
    try Data(export.output.utf8).write(to: URL(filePath: file))
    for counts in ["1 collection copied, 0", "0 collections copied, 1"] {
      let outcome = try await Program.run("import", file, "--data", target)
      #expect(outcome.output == counts + " already there\n", "\(outcome)")
    }
    let next = try await TestService("--data", target)
    let delta = try await next.client().delta(of: inbox, since: first).value
    await next.stop()
    guard case .delta = delta else {
      Issue.record("\(delta)")
      return
    }
    let lines = export.output.split(separator: "\n")
    for (text, told) in [
      (lines[..<2].joined(separator: "\n"), "the last line of an export is missing"),
      ("\(lines[0])\n{", "line 2: "), (#"{"format":"other"}"#, "line 1: "),
      (images.joined().replacing(#""image":""#, with: #""image":"AA"#), "line 1: "),
    ] {
      try Data(text.utf8).write(to: URL(filePath: file))
      let outcome = try await Program.run("import", file, "--data", files.path + "/third")
      #expect(outcome.status == 65 && outcome.errors.contains(told), "\(outcome)")
    }
  }

  @Test(arguments: [
    (["--from", ":memory:", "--to", "x"], 64), (["--from", "/nonexistent", "--to", "x"], 66),
    (["--to", "127.0.0.1:8080"], 64), (["u42", "--to", "127.0.0.1:8080"], 64),
  ])
  func `what is no directory or database is not copied`(
    arguments: [String], status: Int
  ) async throws {
    #expect(try await Program.run(["copy"] + arguments).status == Int32(status))
  }
}
