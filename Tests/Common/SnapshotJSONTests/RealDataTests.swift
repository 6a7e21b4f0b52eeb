import Foundation
import SnapshotJSON
import Subprocess
import Testing

/// Real snapshots: 117 versions of a list, each about 200 KB, when the file is at hand.
struct RealDataTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let shared = root.appending(path: "../shared/data/awesome-swift.ndjson.gz")
  static let hasShared = FileManager.default.fileExists(atPath: shared.path)

  @Test func `the sample reads, keeps every byte, and equals itself respelled`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/awesome-swift-sample.json")
    let bytes = [UInt8](try Data(contentsOf: file))
    try check(try JSONReader().read(bytes).root)
  }

  @Test(
    .enabled(
      if: hasShared,
      "../shared/data/awesome-swift.ndjson.gz is not there; the committed sample is tested instead")
  )
  func `all 117 versions read, and every tenth is checked like the sample`() async throws {
    let reader = JSONReader()
    let lines = try await inflated().split(separator: 0x0A)
    #expect(lines.count == 117)
    for (version, line) in lines.enumerated() {
      let sections = try #require(try reader.read(Array(line)).root["sections"])
      var writer = JSONWriter(capacity: sections.range.count)
      writer.beginObject()
      writer.key("sections")
      writer.value(sections)
      writer.endObject()
      let value = try reader.read(writer.bytes).root
      if version.isMultiple(of: 10) { try check(value) }
      let read = try Snapshot.read(value)
      #expect(read.items.count == sections.elements.reduce(0) { $0 + count($1) })
    }
  }

  private func count(_ section: JSONValue) -> Int {
    section["items"]?.elements.reduce(0) { count, _ in count + 1 } ?? 0
  }

  private func check(_ value: JSONValue) throws {
    let read = try Snapshot.read(value)
    #expect(!read.items.isEmpty)
    let respelled = try respelled(value)
    let again = try Snapshot.read(try JSONReader().read(respelled).root)
    #expect(read.items.map(\.content) == again.items.map(\.content))
    #expect(read.sections.map(\.content) == again.sections.map(\.content))
    #expect(read.items.map(\.idHash) == again.items.map(\.idHash))
    var next = 0
    for section in value["sections"].map({ Array($0.elements) }) ?? [] {
      for item in section["items"].map({ Array($0.elements) }) ?? [] {
        #expect(Array(read.bytes(read.items[next].json)) == item.minified())
        #expect(read.text(read.items[next].id) == item["id"]?.string ?? item["id"]?.rawText)
        next += 1
      }
    }
    #expect(next == read.items.count)
  }

  /// The same value as Foundation spells it: sorted, indented, slashes escaped.
  private func respelled(_ value: JSONValue) throws -> [UInt8] {
    let object = try JSONSerialization.jsonObject(with: Data(value.rawBytes))
    return [UInt8](
      try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys]))
  }

  private func inflated() async throws -> [UInt8] {
    try await Subprocess.run(
      .name("gunzip"), arguments: ["-c", RealDataTests.shared.path], output: .bytes(limit: .max)
    ).standardOutput
  }
}
