import SnapshotJSON
import TestSupport
import Testing

/// Most items have the names of the item before, in the same order; what is known of one item is not
/// taken for granted of another.
@Suite struct ItemShapeTests {
  @Test func `an item is read as if it were alone, whatever came before it`() throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    var (read, refused) = (0, 0)
    for round in 0..<4000 {
      let items = items(&generator)
      let alone = items.map { snapshot([$0]) }
      switch snapshot(items) {
      case .success(let all):
        read += 1
        for (item, one) in zip(all.items, alone) {
          let only = try one.get()
          #expect(all.text(item.id) == only.text(only.items[0].id), "seed \(seed), round \(round)")
          #expect(item.idHash == only.items[0].idHash, "seed \(seed), round \(round)")
          #expect(item.content == only.items[0].content, "seed \(seed), round \(round)")
          #expect(all.text(item.json) == only.text(only.items[0].json))
        }
      case .failure(let error):
        refused += 1
        let first = alone.firstIndex { if case .failure = $0 { true } else { false } }
        let place = "/\(first ?? -1)"
        let pointer = error.entries.first?.pointer
        #expect(pointer == place || pointer == place + "/id", "seed \(seed), round \(round)")
      }
    }
    #expect(read > 500 && refused > 500, "seed \(seed): \(read) and \(refused)")
  }

  private func snapshot(_ items: [String]) -> Result<Snapshot, SnapshotError> {
    Result { () throws(SnapshotError) in
      guard let document = try? JSONReader().read(Array("[\(items.joined(separator: ","))]".utf8))
      else { throw SnapshotError(code: .badSnapshot, entries: [], detail: "no JSON") }
      return try Snapshot.read(document.root)
    }
  }

  /// Items of a few shapes; some have no id, two, or one whose name has an escape.
  private func items(_ generator: inout SeededGenerator) -> [String] {
    let isHarmless = Bool.random(using: &generator)
    var shape: [String] = []
    return (0..<Int.random(in: 1...12, using: &generator)).map { index in
      if shape.isEmpty || Int.random(in: 0..<3, using: &generator) == 0 {
        shape = ["id", "a", "b", "long-common-prefix-1", "long-common-prefix-2"]
          .shuffled(using: &generator)
        if Bool.random(using: &generator) { shape.removeAll { $0 == "a" } }
        if !isHarmless {
          switch Int.random(in: 0..<12, using: &generator) {
          case 0: shape.removeAll { $0 == "id" }
          case 1: shape.append("id")
          case 2: shape.append(#"\u0069d"#)
          default: break
          }
        }
      }
      let members = shape.enumerated().map { place, name in
        let escaped = name == "id" && Int.random(in: 0..<5, using: &generator) == 0
        let value = name.hasSuffix("d") ? "\"\(index)-\(place)\"" : randomValue(&generator)
        return "\"\(escaped ? #"\u0069d"# : name)\":\(value)"
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private func randomValue(_ generator: inout SeededGenerator) -> String {
    [
      "1", "true", "[1,2]", #"{"id":"inner","z":1}"#, #""\n""#, #"" ""#,
      "\"" + String(repeating: "x", count: .random(in: 55...70, using: &generator)) + "\"",
    ].randomElement(using: &generator) ?? "1"
  }
}
