package import TestSupport

/// Seeded random versions: a list, and what an app might make of it.
package struct RandomLists {
  package var generator: SeededGenerator
  private var lastNew = 0

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Two versions: unrelated, or the second an edit of the first, small or massive.
  package mutating func pair() -> (source: [Section], target: [Section]) {
    let source = version()
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return (source, version())
    case 1: return (source, edited(source, times: Int.random(in: 0...3, using: &generator)))
    default: return (source, edited(source, times: Int.random(in: 0...20, using: &generator)))
    }
  }

  /// Up to 6 sections with up to 12 items each, out of 8 section ids and 40 item ids.
  package mutating func version() -> [Section] {
    var pool = (0..<40).map { "i\($0)" }.shuffled(using: &generator)
    let ids = (0..<8).map { "s\($0)" }.shuffled(using: &generator)
    let count = Int.random(in: 0...6, using: &generator)
    return ids.prefix(count).map { id in
      let size = min(pool.count, Int.random(in: 0...12, using: &generator))
      defer { pool.removeLast(size) }
      let items = pool.suffix(size).map {
        Item(id: $0, revision: Int.random(in: 0...1, using: &generator))
      }
      return Section(id: id, revision: Int.random(in: 0...1, using: &generator), items: items)
    }
  }

  /// A version after some random edits.
  package mutating func edited(_ version: [Section], times: Int) -> [Section] {
    var version = version
    for _ in 0..<times { edit(&version) }
    return version
  }

  private mutating func edit(_ version: inout [Section]) {
    lastNew += 1
    guard let s = version.indices.randomElement(using: &generator) else {
      version.append(Section(id: "t\(lastNew)", items: []))
      return
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: version[s].revision += 1
    case 1: version.swapAt(s, version.indices.randomElement(using: &generator) ?? s)
    case 2: version.remove(at: s)
    case 3: version.insert(Section(id: "t\(lastNew)", items: []), at: s)
    case 4...5: insertItem(Item(id: "n\(lastNew)"), into: &version[s])
    default: editItem(in: &version, s)
    }
  }

  private mutating func editItem(in version: inout [Section], _ s: Int) {
    guard let i = version[s].items.indices.randomElement(using: &generator) else { return }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: version[s].items[i].revision += 1
    case 1: version[s].items.remove(at: i)
    default:
      let item = version[s].items.remove(at: i)
      let other = version.indices.randomElement(using: &generator) ?? s
      insertItem(item, into: &version[Bool.random(using: &generator) ? s : other])
    }
  }

  private mutating func insertItem(_ item: Item, into section: inout Section) {
    section.items.insert(item, at: Int.random(in: 0...section.items.count, using: &generator))
  }
}
