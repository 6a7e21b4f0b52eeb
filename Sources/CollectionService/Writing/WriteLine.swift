/// The writes of one client, in the order in which they came.
///
/// A write is ready once no earlier one that has a collection in common with it is in line, so that
/// each collection is written in the order of arrival and by one write at a time. A write of the
/// whole client waits for all before it, and all after it wait for it. A write stays in line until
/// it is finished.
struct WriteLine<Write> {
  private struct Entry {
    let write: Write
    /// The collections that it writes, each once; nil for all.
    let names: [ResourceName]?
    /// In how many of its collections' lines another one is the first.
    var blockerCount = 0
  }

  private var entries: [Int: Entry] = [:]
  private var nextNumber = 0
  /// By collection, the writes that are neither finished nor behind `whole`; each begins as the first.
  private var lines: [ResourceName: [Int]] = [:]
  /// How many writes of some collections are neither finished nor behind `whole`.
  private var partCount = 0
  /// The first write of the whole client that is not finished.
  private var whole: Int?
  /// All that came after `whole`.
  private var behindWhole: [Int] = []
  private var ready: [Int] = []
  /// The collections that begun writes are about.
  private(set) var namesUnderWay: Set<ResourceName> = []

  /// Whether no write is waiting or under way.
  var isEmpty: Bool { entries.isEmpty }

  /// Puts a write at the end.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - names: The collections that it is about, each once; nil for all.
  mutating func append(_ write: Write, names: [ResourceName]?) {
    let number = nextNumber
    nextNumber += 1
    entries[number] = Entry(write: write, names: names)
    if whole == nil { enter(number) } else { behindWhole.append(number) }
  }

  /// Begins the first write that is ready.
  ///
  /// - Returns: The write, and the number to finish it by; nil when none is ready.
  mutating func begin() -> (write: Write, number: Int)? {
    guard !ready.isEmpty else { return nil }
    let number = ready.removeFirst()
    guard let entry = entries[number] else { return nil }
    namesUnderWay.formUnion(entry.names ?? [])
    return (entry.write, number)
  }

  /// Takes a write that was begun out of line.
  mutating func finish(_ number: Int) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    if let names = entry.names {
      partCount -= 1
      for name in names { leave(name) }
      if partCount == 0, let whole { ready.append(whole) }
    } else {
      whole = nil
      let waiting = behindWhole
      behindWhole = []
      for number in waiting {
        if whole == nil { enter(number) } else { behindWhole.append(number) }
      }
    }
  }

  private mutating func enter(_ number: Int) {
    guard let names = entries[number]?.names else {
      whole = number
      if partCount == 0 { ready.append(number) }
      return
    }
    partCount += 1
    var blockerCount = 0
    for name in names {
      if lines[name] != nil { blockerCount += 1 }
      lines[name, default: []].append(number)
    }
    entries[number]?.blockerCount = blockerCount
    if blockerCount == 0 { ready.append(number) }
  }

  private mutating func leave(_ name: ResourceName) {
    namesUnderWay.remove(name)
    lines[name]?.removeFirst()
    guard let next = lines[name]?.first else {
      lines[name] = nil
      return
    }
    entries[next]?.blockerCount -= 1
    if entries[next]?.blockerCount == 0 { ready.append(next) }
  }
}
