import TestSupport

/// Seeded random versions: a list, and what an app might make of it.
struct RandomLists {
  var generator: SeededGenerator
  private var lastNew = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Up to 6 sections with up to 12 items each, out of 8 section ids and 40 item ids.
  mutating func version() -> [Section] {
    var pool = (0..<40).map { "i\($0)" }.shuffled(using: &generator)
    let ids = (0..<8).map { "s\($0)" }.shuffled(using: &generator)
    let count = Int.random(in: 0...6, using: &generator)
    return ids.prefix(count).map { id in
      let size = min(pool.count, Int.random(in: 0...12, using: &generator))
      defer { pool.removeLast(size) }
      let items = pool.suffix(size).map {
        Item(uniqueID: $0, revision: Int.random(in: 0...1, using: &generator))
      }
      return Section(
        uniqueID: id, header: Int.random(in: 0...1, using: &generator), items: items)
    }
  }

  /// A version after some random edits.
  mutating func edited(_ version: [Section], times: Int) -> [Section] {
    var version = version
    for _ in 0..<times { edit(&version) }
    return version
  }

  private mutating func edit(_ version: inout [Section]) {
    lastNew += 1
    guard let s = version.indices.randomElement(using: &generator) else {
      version.append(Section(uniqueID: "t\(lastNew)", items: []))
      return
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: version[s].header += 1
    case 1: version.swapAt(s, version.indices.randomElement(using: &generator) ?? s)
    case 2: version.remove(at: s)
    case 3: version.insert(Section(uniqueID: "t\(lastNew)", items: []), at: s)
    case 4...5: insertItem(Item(uniqueID: "n\(lastNew)"), into: &version[s])
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
