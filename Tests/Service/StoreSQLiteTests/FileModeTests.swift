import Foundation
import Glibc
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

@testable import StoreSQLite

/// Who may read what is kept: its owner, and nobody else.
@Suite(.timeLimit(.minutes(10))) struct FileModeTests {
  /// The rights of a file or directory, without its type.
  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  private func modes(in directory: String) throws -> [String: mode_t] {
    var modes: [String: mode_t] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      modes[name] = mode(directory + "/" + name)
    }
    return modes
  }

  @Test func `the files of a store are readable by their owner only`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    let modes = try modes(in: bench.directory)
    for suffix in ["", "-wal", "-shm"] { #expect(modes["livedelta.sqlite" + suffix] == 0o600) }
    #expect(modes["lock"] == 0o600)
    #expect(mode(bench.directory) == 0o700)
  }

  @Test func `the names of new directories are durable, from the first that was there`() throws {
    let base = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())").path
    mkdir(base, 0o700)
    defer { try? FileManager.default.removeItem(atPath: base) }
    var synced: [String] = []
    func sync(_ parent: String) -> CInt {
      // What is new is there, and nothing below it yet.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
      synced.append(parent.dropFirst(base.count) + ":" + names.joined(separator: ","))
      return DirectorySync.sync(parent)
    }
    try DataDirectory.make(base + "/a/b//data/", sync: sync)
    #expect(synced == [":a", "/a:b", "/a/b:data"])
    try DataDirectory.make(base + "/a/b/data", sync: sync)
    #expect(synced.count == 3)
    let error = #expect(throws: StoreOpenError.self) {
      try DataDirectory.make(base + "/c", sync: { _ in EIO })
    }
    #expect(
      error?.cause == .system && error?.description.hasPrefix(base) == true, "\(error as Any)")
    for (path, parent) in [("a", "."), ("/a", "/"), ("/a/b", "/a"), ("./a", ".")] {
      #expect(DirectorySync.parent(of: path) == parent)
    }
  }

  @Test func `files that an earlier release left readable are closed at start`() async throws {
    let bench = try StoreBench()
    let version = try await bench.bench.put(#"[{"id":1}]"#).version
    // As a process leaves them that is killed: with their log.
    let left = bench.directory + "-left"
    try FileManager.default.copyItem(atPath: bench.directory, toPath: left)
    defer { try? FileManager.default.removeItem(atPath: left) }
    for name in try modes(in: left).keys { chmod(left + "/" + name, 0o644) }
    chmod(left, 0o755)
    let store = try SQLiteStore(directory: left, options: bench.options)
    defer { store.close() }
    #expect(try Set(modes(in: left).values) == [0o600])
    // A directory may be somebody else's choice; the files are ours.
    #expect(mode(left) == 0o755)
    let reopened = ServiceBench(store: store, seed: 9)
    #expect(try await reopened.delta(since: nil).heldVersion == version)
  }

  @Test func `a back-up is readable by its owner only`() async throws {
    let bench = try StoreBench()
    _ = try await bench.bench.put(#"[{"id":1}]"#)
    let file = bench.directory + "/copy"
    // What a back-up left that was killed gives its rights to nobody.
    try Data([1]).write(to: URL(filePath: file + ".partial"))
    chmod(file + ".partial", 0o644)
    try StoreBackup.write(directory: bench.directory, to: file)
    #expect(mode(file) == 0o600)
    #expect(mode(file + ".partial") == nil)
    #expect(try StoreVerifier.verify(file: file).faults.isEmpty)
  }
}
