import DeltaEngine
import ListTestSupport
import TestSupport
import Testing

/// A duplicate is refused with the places that a slow check of one id after the other names,
/// however many ids the engine itself looks at.
@Suite struct UniquenessTests {
  @Test func `every pair of small flat lists, with and without duplicates`() throws {
    let lists = words(of: [0, 1, 2], upTo: 4).map { $0.map { Numbered(id: $0) } }
    for source in lists {
      for target in lists { try expectAsSlowCheck(source, target) }
    }
  }

  @Test func `every small target of a source without duplicates`() throws {
    let sources = arrangements(of: [0, 1, 2, 3]).map { $0.map { Numbered(id: $0) } }
    let targets = words(of: [0, 1, 2, 3, 4], upTo: 5).map { $0.map { Numbered(id: $0) } }
    for source in sources {
      for target in targets { try expectAsSlowCheck(source, target) }
    }
  }

  @Test func `every pair of small sectioned lists, with and without duplicates`() throws {
    let fillings = words(of: [0, 1], upTo: 2)
    let lists = words(of: [7, 8], upTo: 2).flatMap { ids in
      words(of: fillings, upTo: ids.count).filter { $0.count == ids.count }.map { contents in
        zip(ids, contents).map { id, items in
          NumberedSection(diffID: id, items: items.map { Numbered(id: $0) })
        }
      }
    }
    for source in lists {
      for target in lists { try expectAsSlowCheck(source, target) }
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `random flat lists with hardly a duplicate`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let count = Int.random(in: 0...600, using: &generator)
      var source = Array((0..<count).shuffled(using: &generator))
      var target = edited(source, &generator)
      if Int.random(in: 0..<8, using: &generator) == 0 { repeatOne(&source, &generator) }
      if Bool.random(using: &generator) { repeatOne(&target, &generator) }
      try expectAsSlowCheck(items(source) { $0 }, items(target) { $0 })
      try expectAsSlowCheck(
        items(source) { $0 &* 0x9E37_79B9_7F4A }, items(target) { $0 &* 0x9E37_79B9_7F4A })
      try expectAsSlowCheck(items(source) { Int32($0) }, items(target) { Int32($0) })
      try expectAsSlowCheck(items(source) { "row \($0)" }, items(target) { "row \($0)" })
      try expectAsSlowCheck(items(source) { "é\($0)" }, items(target) { "e\u{301}\($0)" })
      try expectAsSlowCheck(items(source) { Double($0) }, items(target) { Double($0) })
      try expectAsSlowCheck(items(source) { Wide(low: $0) }, items(target) { Wide(low: $0) })
      try expectAsSlowCheck(
        items(source) { Alike(number: $0) }, items(target) { Alike(number: $0) })
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `random sections with hardly a duplicate`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int.random(in: 0...300, using: &generator)
      let source = sections((0..<count).shuffled(using: &generator), &generator)
      var target = source.shuffled(using: &generator)
      let all = edited(source.flatMap { $0.items.map(\.id) }, &generator)
      if Bool.random(using: &generator) { target = sections(all, &generator) }
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        guard let index = target.indices.randomElement(using: &generator) else { break }
        if let id = all.randomElement(using: &generator), Bool.random(using: &generator) {
          let place = Int.random(in: 0...target[index].items.count, using: &generator)
          target[index].items.insert(Numbered(id: id), at: place)
        } else if Int.random(in: 0..<6, using: &generator) == 0 {
          target.append(NumberedSection(diffID: target[index].diffID, items: []))
        }
      }
      try expectAsSlowCheck(source, target)
    }
  }

  @Test func `a value that does not equal itself is no duplicate`() throws {
    let source = items([1, 2, 3]) { $0 == 2 ? Double.nan : Double($0) }
    let target = source + items([2, 2]) { _ in Double.nan }
    let delta = try Delta(fromItems: source, toItems: target)
    #expect(delta.changes.insertedItems.count == 3 && delta.changes.deletedItems.count == 1)
  }

  @Test func `a source that was not unique after all never traps`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3_000 {
      let (source, target) = (repeated(&generator), repeated(&generator))
      _ = try? Delta(fromItems: source, toItems: target, uniqueness: .sourceChecked)
      _ = try? Delta(
        from: [NumberedSection(diffID: 0, items: source)],
        to: [NumberedSection(diffID: 1, items: []), NumberedSection(diffID: 0, items: target)],
        uniqueness: .sourceChecked)
    }
  }

  private func repeated(_ generator: inout SeededGenerator) -> [Numbered] {
    (0..<Int.random(in: 0...300, using: &generator)).map { _ in
      Numbered(id: Int.random(in: 0..<150, using: &generator))
    }
  }
}

// MARK: - Lists

extension UniquenessTests {
  struct Wide: Hashable {
    var low: Int
    var high = 1
  }

  struct Alike: Hashable {
    var number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 7) }
  }

  struct Identified<ID: Hashable>: Diffable {
    var diffID: ID
    func hasSameContent(as other: Identified) -> Bool { true }
  }

  private func items<ID: Hashable>(_ numbers: [Int], _ id: (Int) -> ID) -> [Identified<ID>] {
    numbers.map { Identified(diffID: id($0)) }
  }

  /// Every list of at most so many elements out of a pool, each as often as it likes.
  private func words<Element>(of pool: [Element], upTo length: Int) -> [[Element]] {
    var all: [[Element]] = [[]]
    var longest = all
    for _ in 0..<length {
      longest = longest.flatMap { word in pool.map { word + [$0] } }
      all += longest
    }
    return all
  }

  private func edited(_ list: [Int], _ generator: inout SeededGenerator) -> [Int] {
    var list = list
    for edit in 0..<Int.random(in: 0...3, using: &generator) {
      let place = Int.random(in: 0...list.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: list.reverse()
      case 1: list.shuffle(using: &generator)
      case 2: list.removeFirst(place)
      case 3: list.insert(contentsOf: (0..<40).map { 1_000 + 100 * edit + $0 }, at: place)
      default: list.insert(2_000 + edit, at: place)
      }
    }
    return list
  }

  private func repeatOne(_ list: inout [Int], _ generator: inout SeededGenerator) {
    guard let number = list.randomElement(using: &generator) else { return }
    list.insert(number, at: Int.random(in: 0...list.count, using: &generator))
  }

  private func sections(
    _ numbers: [Int], _ generator: inout SeededGenerator
  ) -> [NumberedSection] {
    var sections: [NumberedSection] = []
    var rest = numbers[...]
    while !rest.isEmpty {
      let items = rest.prefix(Int.random(in: 0...90, using: &generator))
      rest = rest.dropFirst(items.count)
      sections.append(
        NumberedSection(diffID: sections.count, items: items.map { Numbered(id: $0) }))
    }
    return sections
  }
}

// MARK: - The slow check

private func expectAsSlowCheck<Element: Diffable>(
  _ source: [Element], _ target: [Element]
) throws {
  let inSource = slowDuplicate([source], .source, .item)
  let inTarget = slowDuplicate([target], .target, .item)
  expect(inSource ?? inTarget) { try Delta(fromItems: source, toItems: target) }
  if inSource == nil {
    expect(inTarget) {
      try Delta(fromItems: source, toItems: target, uniqueness: .sourceChecked)
    }
  }
}

private func expectAsSlowCheck(_ source: [NumberedSection], _ target: [NumberedSection]) throws {
  let inSource = slowDuplicate(source, .source)
  let inTarget = slowDuplicate(target, .target)
  expect(inSource ?? inTarget) { try Delta(from: source, to: target) }
  if inSource == nil {
    expect(inTarget) { try Delta(from: source, to: target, uniqueness: .sourceChecked) }
  }
}

private func expect(_ duplicate: DuplicateIdentifier?, _ diff: () throws -> Delta) {
  do {
    _ = try diff()
    #expect(duplicate == nil)
  } catch {
    #expect(error as? DuplicateIdentifier == duplicate)
  }
}

private func slowDuplicate(
  _ sections: [NumberedSection], _ side: DuplicateIdentifier.Side
) -> DuplicateIdentifier? {
  slowDuplicate([sections], side, .section) ?? slowDuplicate(sections.map(\.items), side, .item)
}

/// The first id, in order, that was there before.
private func slowDuplicate<Element: Diffable>(
  _ lists: [[Element]], _ side: DuplicateIdentifier.Side, _ kind: DuplicateIdentifier.Kind
) -> DuplicateIdentifier? {
  var places: [Element.DiffID: [Int]] = [:]
  for (section, list) in lists.enumerated() {
    for (index, element) in list.enumerated() {
      let place = kind == .section ? [index] : [section, index]
      if let first = places.updateValue(place, forKey: element.diffID) {
        return DuplicateIdentifier(
          kind: kind, side: side, id: "\(element.diffID)", first: first, second: place)
      }
    }
  }
  return nil
}
