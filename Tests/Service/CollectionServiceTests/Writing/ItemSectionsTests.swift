import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// Sections of item numbers, to compare an index and a draft with.
private struct Outline: Equatable {
  var sections: [(id: UInt32, items: [UInt32])] = []

  static func == (lhs: Outline, rhs: Outline) -> Bool {
    lhs.sections.elementsEqual(rhs.sections) { $0.id == $1.id && $0.items == $1.items }
  }
}

@Suite struct ItemSectionsTests {
  @Test func `the index says of each item in which section it is`() {
    var homes = ItemSections()
    #expect(homes[0] == nil && homes.count == 0)
    homes[7] = 3
    homes[100] = 3
    #expect(homes[7] == 3 && homes[100] == 3 && homes[99] == nil && homes.count == 2)
    homes[7] = 4
    #expect(homes[7] == 4 && homes.count == 2)
    homes[7] = nil
    homes[7] = nil
    #expect(homes[7] == nil && homes.count == 1)
  }

  @Test func `a draft's index and bytes are right after any changes`() throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      var draft = Draft([], .none, IDTable(seed: 1), HashOverrides())
      draft.beginEditing()
      var outline = Outline()
      var next: UInt32 = 0
      for step in 0..<60 {
        change(&draft, &outline, &next, &random)
        let shown = Outline(
          sections: draft.sections.map { section in (section.id, section.items.map(\.id)) })
        try #require(shown == outline, "seed \(seed), step \(step)")
        try #require(draft.isConsistent(), "seed \(seed), step \(step)")
      }
    }
  }

  /// Makes one random change by the slow obvious way to the outline, and to the draft.
  private func change(
    _ draft: inout Draft, _ outline: inout Outline, _ next: inout UInt32,
    _ random: inout SeededGenerator
  ) {
    let all = outline.sections.flatMap(\.items)
    let few = Array(all.shuffled(using: &random).prefix(Int.random(in: 0...40, using: &random)))
    let section = outline.sections.indices.randomElement(using: &random)
    switch (Int.random(in: 0..<8, using: &random), section) {
    case (0, _), (_, nil):
      let index = Int.random(in: 0...outline.sections.count, using: &random)
      let header = draft.add(ArraySlice("{\"id\":1}".utf8))
      let items = items(3, &draft, &next)
      draft.insert(
        Draft.Section(id: next, header: .zero, source: header, items: items), at: index)
      outline.sections.insert((next, items.map(\.id)), at: index)
      next += 1
    case (1, let section?) where outline.sections.count > 4:
      draft.removeSection(at: section)
      outline.sections.remove(at: section)
    case (2...4, let section?):
      let index = Int.random(in: 0...outline.sections[section].items.count, using: &random)
      let items = items(Int.random(in: 0...30, using: &random), &draft, &next)
      draft.insert(items, section: section, at: index)
      outline.sections[section].items.insert(contentsOf: items.map(\.id), at: index)
    case (5, let section?):
      let taken = draft.take(few)
      #expect(taken.map(\.id) == few)
      for index in outline.sections.indices {
        outline.sections[index].items.removeAll { few.contains($0) }
      }
      draft.insert(taken, section: section, at: 0)
      outline.sections[section].items.insert(contentsOf: few, at: 0)
    case (6, _):
      draft.remove(few)
      for index in outline.sections.indices {
        outline.sections[index].items.removeAll { few.contains($0) }
      }
    default:
      var updated: [UInt32] = []
      draft.update(few) { item, draft in
        updated.append(item.id)
        item.source = draft.add(ArraySlice("{\"id\":\(item.id),\"x\":1}".utf8))
      }
      #expect(updated.sorted() == few.sorted())
    }
  }

  private func items(_ count: Int, _ draft: inout Draft, _ next: inout UInt32) -> [Draft.Item] {
    (0..<count).map { _ in
      defer { next += 1 }
      return Draft.Item(
        id: next, content: .zero, source: draft.add(ArraySlice("{\"id\":\(next)}".utf8)))
    }
  }
}

extension ContentHash {
  fileprivate static let zero = ContentHash(high: 0, low: 0)
}
