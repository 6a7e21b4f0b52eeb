/// Sections of 100 items and what becomes of them.
public enum SectionedWorkload: String, CaseIterable, Sendable {
  /// An equal copy.
  case identical
  /// A hundredth of the items has new content.
  case reload1
  /// A twentieth of the sections moves; of the items a hundredth has new content, a hundredth goes,
  /// a hundredth changes its section and a hundredth comes.
  case mixed
  /// As `mixed` without items that come; then a twentieth of the sections goes and a twentieth comes.
  case churn
  /// All items permuted over all places.
  case xshuffle
  /// The order of the sections reversed.
  case secreversed

  /// The versions of a seed; the new one never shares its storage with the old one.
  public func versions(sectionCount: Int, seed: UInt64) -> Versions<ItemSection> {
    var random = SplitMix64(seed: seed)
    let old = (0..<sectionCount).map { _ in
      ItemSection(id: random.id(), items: FlatWorkload.fresh(100, &random))
    }
    var editor = Editor(sections: old, random: random, itemCount: sectionCount * 100)
    editor.perform(self)
    let new = editor.sections.map { section in
      ItemSection(
        id: section.id, items: section.items.map { Item(id: $0.id, content: $0.content) })
    }
    return Versions(old: old, new: new)
  }
}

/// Makes the new version of a sectioned workload.
private struct Editor {
  var sections: [ItemSection]
  var random: SplitMix64
  let itemCount: Int

  mutating func perform(_ workload: SectionedWorkload) {
    switch workload {
    case .identical: break
    case .reload1: reloadItems()
    case .mixed:
      mixWithoutInserts()
      for _ in 0..<itemCount / 100 {
        let section = Int.random(in: sections.indices, using: &random)
        insert(Item(id: random.id(), content: 0), into: section)
      }
    case .churn:
      mixWithoutInserts()
      replaceSections()
    case .xshuffle:
      var items = sections.flatMap(\.items)
      items.shuffle(using: &random)
      for index in sections.indices {
        sections[index].items = Array(items[index * 100..<(index + 1) * 100])
      }
    case .secreversed: sections.reverse()
    }
  }

  private mutating func mixWithoutInserts() {
    moveSections()
    reloadItems()
    for _ in 0..<itemCount / 100 { _ = takeItem() }
    for _ in 0..<itemCount / 100 {
      let (item, home) = takeItem()
      var section: Int
      repeat { section = Int.random(in: sections.indices, using: &random) } while section == home
      insert(item, into: section)
    }
  }

  private mutating func moveSections() {
    let picked = random.pick(sections.count / 20, of: sections.count)
    let taken = picked.map { sections[$0] }.shuffled(using: &random)
    let gone = Set(picked)
    sections = sections.indices.filter { !gone.contains($0) }.map { sections[$0] }
    for section in taken {
      sections.insert(section, at: Int.random(in: 0...sections.count, using: &random))
    }
  }

  private mutating func replaceSections() {
    let number = sections.count / 20
    for _ in 0..<number {
      sections.remove(at: Int.random(in: sections.indices, using: &random))
    }
    for _ in 0..<number {
      let section = ItemSection(id: random.id(), items: FlatWorkload.fresh(50, &random))
      sections.insert(section, at: Int.random(in: 0...sections.count, using: &random))
    }
  }

  private mutating func reloadItems() {
    for _ in 0..<itemCount / 100 {
      let section = Int.random(in: sections.indices, using: &random)
      let item = Int.random(in: sections[section].items.indices, using: &random)
      sections[section].items[item].content += 1 << 32
    }
  }

  private mutating func takeItem() -> (item: Item, section: Int) {
    var section: Int
    repeat {
      section = Int.random(in: sections.indices, using: &random)
    } while sections[section].items.isEmpty
    let index = Int.random(in: sections[section].items.indices, using: &random)
    return (sections[section].items.remove(at: index), section)
  }

  private mutating func insert(_ item: Item, into section: Int) {
    let index = Int.random(in: 0...sections[section].items.count, using: &random)
    sections[section].items.insert(item, at: index)
  }
}
