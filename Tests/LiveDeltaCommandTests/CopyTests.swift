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
