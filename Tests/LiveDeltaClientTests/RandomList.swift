import DeltaEngine
import LiveDeltaClient
import TestSupport

/// Small random lists, and random changes of them.
enum RandomList {
  static func make(_ random: inout SeededGenerator) -> [ReplicaSection] {
    let ids = (0..<20).shuffled(using: &random).prefix(Int.random(in: 0...14, using: &random))
    let names = ["a", "b", "c", "d", "e"].shuffled(using: &random)
      .prefix(Int.random(in: 1...4, using: &random))
    return spread(ids.map { "\($0)" }, over: Array(names), &random)
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
    var parts = [String: [String]]()
    for id in ids {
      let revision = Int.random(in: 1...2, using: &random)
      parts[names.randomElement(using: &random) ?? "a", default: []].append("\(id).\(revision)")
    }
    return list(names.map { "\($0)[\(parts[$0, default: []].joined(separator: " "))]" }.joined())
  }
}

extension WireDelta {
  /// Changes one index, id, count or content of a delta.
  mutating func corrupt(_ random: inout SeededGenerator) {
    let step = Int.random(in: 0..<steps.count, using: &random)
    let wrong = [0, 1, 2, 7, 1_000_000, 2_147_483_647].randomElement(using: &random) ?? 0
    let path = ItemPath<Before>(section: wrong, item: wrong)
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
