import DeltaEngine
import LiveDeltaClient
import TestSupport

/// Ids that are easily taken for others.
enum EdgeIDs {
  /// In JSON; the sixth and the seventh are one string to Swift.
  static let all = [
    "9007199254740991", "9007199254740992", "9007199254740993", "-0", "0", "\"\u{E9}\"",
    "\"e\u{301}\"", "\"\(String(repeating: "x", count: 256))\"",
  ]
  static let byteCounts = [16, 16, 16, 2, 1, 2, 3, 256]

  /// The n-th id of a random list.
  static func name(_ n: Int) -> String {
    let special = [17: "\u{E9}", 18: "e\u{301}", 19: "-0"]
    return special[n] ?? "\(n)"
  }
}

/// Small random lists, and random changes of them.
enum RandomList {
  static func make(_ random: inout SeededGenerator) -> [ReplicaSection] {
    let ids = (0..<20).shuffled(using: &random).prefix(Int.random(in: 0...14, using: &random))
    let names = ["a", "b", "c", "\u{E9}", "e\u{301}"].shuffled(using: &random)
      .prefix(Int.random(in: 1...4, using: &random))
    return spread(ids.map(EdgeIDs.name), over: Array(names), &random)
  }

  static func change(
    _ sections: [ReplicaSection], _ random: inout SeededGenerator
  ) -> [ReplicaSection] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return make(&random)
    case 1: return sections.shuffled(using: &random)
    default:
      var result = sections
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&result, &random) }
      return result
    }
  }

  private static func mutate(_ list: inout [ReplicaSection], _ random: inout SeededGenerator) {
    guard let section = list.indices.randomElement(using: &random) else { return }
    guard let item = list[section].items.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: list[section].items.remove(at: item)
    case 1:
      let old = list[section].items[item]
      list[section].items[item] = LiveDeltaClientTests.item(
        "\(old.id).\(old.content.low + 1)")
    case 2:
      let old = list[section]
      list[section] = LiveDeltaClientTests.section("\(old.id).\(old.content.low + 1)")
      list[section].items = old.items
    default:
      let moved = list[section].items.remove(at: item)
      guard let other = list.indices.randomElement(using: &random) else { return }
      let place = Int.random(in: 0...list[other].items.count, using: &random)
      list[other].items.insert(moved, at: place)
    }
  }

  private static func spread(
    _ ids: [String], over names: [String], _ random: inout SeededGenerator
  ) -> [ReplicaSection] {
    var parts = [ReplicaID: [String]]()
    for id in ids {
      let revision = Int.random(in: 1...2, using: &random)
      let name = ReplicaID(names.randomElement(using: &random) ?? "a")
      parts[name, default: []].append("\(id).\(revision)")
    }
    let texts = names.map { name in
      "\(name)[\(parts[ReplicaID(name), default: []].joined(separator: " "))]"
    }
    return list(texts.joined())
  }
}

extension WireDelta {
  /// Changes one index, id, count or content of a delta.
  mutating func corrupt(_ random: inout SeededGenerator) {
    let step = Int.random(in: 0..<steps.count, using: &random)
    let wrong = [0, 1, 2, 7, 1_000_000, 2_147_483_647].randomElement(using: &random) ?? 0
    let path = ItemPath<BeforeSpace>(section: wrong, item: wrong)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: steps[step].deletedItems.append(path)
    case 1: steps[step].deletedSections.append(SectionIndex(wrong))
    case 2:
      steps[step].insertedItems.append(.init(at: ItemPath(section: wrong, item: wrong), id: "0"))
    case 3:
      steps[step].movedItems.append(
        ItemMove(from: path, to: ItemPath(section: wrong, item: 0)))
    case 4:
      steps[step].movedSections.append(
        SectionMove(from: SectionIndex(wrong), to: SectionIndex(wrong)))
    case 5: steps[step].counts.append(wrong)
    case 6: steps[step].reloadedItems.append(.init(at: path, id: "3"))
    case 7: items.removeAll()
    default: steps.remove(at: step)
    }
  }
}
