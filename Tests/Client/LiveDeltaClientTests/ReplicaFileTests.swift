import Foundation
import TestSupport
import Testing

@testable import LiveDeltaClient

@Suite struct ReplicaFileTests {
  private let file = ReplicaFile(
    at: FileManager.default.temporaryDirectory.appending(path: "\(UUID()).replica"))

  private func replica(_ items: Int = 3) throws -> CollectionReplica {
    let list = (0..<items).map { #"{"id":"i\#($0)","title":"Zoë \"\#($0)\"","n":1.0}"# }
    var snapshot = try WireSnapshot(
      body: Array(
        """
        {"sections":[{"id":"s","title":"S","items":[\(list.joined(separator: ","))]},
         {"id":7,"items":[]}],"meta":{"a":[1]}}
        """.utf8))
    (snapshot.version, snapshot.seq) = ("l.4.d", 4)
    var replica = CollectionReplica()
    replica.replace(by: snapshot)
    return replica
  }

  @Test func `a replica comes back as it was kept`() throws {
    defer { try? file.remove() }
    let replica = try replica()
    try file.save(["inbox": replica, "empty": CollectionReplica()], "me")
    #expect(file.load("me")?.count == 1)
    let stored = try #require(file.load("me")?["inbox"])
    #expect(stored.sections == replica.sections)
    #expect(stored.version == replica.version)
    #expect(stored.seq == replica.seq)
    #expect(stored.meta == replica.meta)
    #expect(stored.takesItemPatches == replica.takesItemPatches)
  }

  @Test func `a file that is torn, changed anywhere or longer counts as none`() throws {
    defer { try? file.remove() }
    let replica = try replica(2)
    try file.save(["inbox": replica], "me")
    let bytes = try Data(contentsOf: file.url)
    for count in 0..<bytes.count {
      try bytes.prefix(count).write(to: file.url)
      #expect(file.load("me") == nil, "\(count) of \(bytes.count) bytes")
    }
    for place in 0..<bytes.count {
      var changed = bytes
      changed[place] ^= 1
      try changed.write(to: file.url)
      #expect(file.load("me") == nil, "byte \(place)")
    }
    try (bytes + Data("x".utf8)).write(to: file.url)
    #expect(file.load("me") == nil)
    try bytes.write(to: file.url)
    #expect(file.load("me") != nil)
  }

  @Test func `a file keeps several replicas together, and ids that are not in their contents`()
    throws
  {
    defer { try? file.remove() }
    var repeated = CollectionReplica()
    var snapshot = try WireSnapshot(body: Array(#"[{"id":1},{"id":1},{"id":2}]"#.utf8))
    (snapshot.version, snapshot.seq) = ("l.5.d", 5)
    repeated.replace(by: snapshot)
    try file.save(["inbox": replica(), "cart": repeated], "me")
    let stored = try #require(file.load("me"))
    #expect(stored["inbox"]?.version == "l.4.d")
    #expect(stored["cart"]?.sections == snapshot.sections)
    #expect(stored["cart"]?.sections.first?.items.map(\.id) == ["1", "1#2", "2"])
  }

  @Test func `the file of another collection counts as none`() throws {
    defer { try? file.remove() }
    try file.save(["inbox": replica()], "me")
    #expect(file.load("you") == nil)
  }

  @Test func `what is too large is not kept, and not read`() throws {
    defer { try? file.remove() }
    try file.save(["inbox": replica()], "me")
    let small = ReplicaFile(at: file.url, bytesMax: 100)
    #expect(small.load("me") == nil)
    try small.save(["inbox": replica()], "me")
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }

  @Test func `only the owner may read the file, whoever may have read the one before`() throws {
    let files = FileManager.default
    _ = files.createFile(
      atPath: file.url.path, contents: Data(), attributes: [.posixPermissions: 0o666])
    try file.save(["inbox": replica()], "me")
    let mode = try files.attributesOfItem(atPath: file.url.path)[.posixPermissions] as? NSNumber
    #expect(mode == 0o600)
    #expect(file.load("me")?.count == 1)
    let name = file.url.lastPathComponent
    let others = try files.contentsOfDirectory(atPath: file.url.deletingLastPathComponent().path)
    #expect(others.filter { $0.hasPrefix(name) } == [name])
  }

  @Test func `ids that look alike, and the longest, are kept apart in the file`() throws {
    let ids = EdgeIDs.all.map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let snapshot = try WireSnapshot(body: Array("[\(ids)]".utf8))
    var replica = CollectionReplica()
    replica.replace(
      by: WireSnapshot(
        collection: "inbox", version: "v1", seq: 1, sections: snapshot.sections))
    try file.save(["inbox": replica], "me")
    #expect(file.load("me")?["inbox"]?.sections == snapshot.sections)
    #expect(snapshot.sections.first?.items.map(\.id.text.utf8.count) == EdgeIDs.byteCounts)
  }

  @Test func `a deleted collection leaves no file`() throws {
    try file.save(["inbox": replica()], "me")
    try file.save(["inbox": CollectionReplica()], "me")
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }
}

@MainActor @Suite struct ItemDecoderTests {
  private struct Row: Decodable, Equatable { var title: String }

  private func item(_ id: String, _ json: String) throws -> ReplicaItem {
    let snapshot = try WireSnapshot(body: Array("[\(json)]".utf8))
    return try #require(snapshot.sections.first?.items.first)
  }

  @Test func `a bad item is reported once, and the others are decoded`() throws {
    var reported: [ReplicaID] = []
    let decoder = ItemDecoder<Row> { item, _ in reported.append(item.id) }
    let good = try item("a", #"{"id":"a","title":"A"}"#)
    let bad = try item("b", #"{"id":"b","title":7}"#)
    for _ in 0..<2 {
      #expect(decoder.values(of: [good, bad]) == [Row(title: "A")])
      #expect(decoder.value(of: bad) == nil)
    }
    #expect(reported == ["b"])
    let mended = try item("b", #"{"id":"b","title":"B"}"#)
    #expect(decoder.value(of: mended) == Row(title: "B"))
  }

  @Test func `what was decoded and reported is not forgotten at a thousand`() throws {
    var reported: [ReplicaID] = []
    let decoder = ItemDecoder<Row>(countMax: 100) { item, _ in reported.append(item.id) }
    let bad = try item("b", #"{"id":"b"}"#)
    for number in 0..<1100 {
      #expect(decoder.value(of: bad) == nil)
      _ = decoder.value(of: try item("\(number)", #"{"id":\#(number),"title":""}"#))
    }
    #expect(reported == ["b"])
  }
}
