import VersionedCollections

/// The pending writes of one client, in order of arrival.
///
/// A write is ready when no earlier unfinished write shares a collection with it: each collection
/// is written in order of arrival, one write at a time. A write to the whole client waits for all
/// earlier writes, and all later writes wait for it. A write stays in line until it is finished.
struct WriteQueue<Write> {
  private struct Entry {
    let write: Write
    /// The collections it writes, each once; nil for all.
    let names: [ResourceName]?
    /// The number of its collections' lines in which another write is first.
    var blockerCount = 0
  }

  private var entries: [Int: Entry] = [:]
  private var nextNumber = 0
  /// The writes of each collection that are neither finished nor behind `whole`; a write can start
  /// when it is the first of all its collections.
  private var lines: [ResourceName: [Int]] = [:]
  /// The number of entries with names that are neither finished nor behind `whole`.
  private var partCount = 0
  /// The first unfinished write to the whole client.
  private var whole: Int?
  /// The writes that arrived after `whole`.
  private var behindWhole: [Int] = []
  private var ready: [Int] = []
  /// The collections of writes that have started.
  private(set) var namesUnderWay: Set<ResourceName> = []

  var isEmpty: Bool { entries.isEmpty }

  /// Whether a write of a collection has started or is about to.
  func isWriting(_ name: ResourceName) -> Bool {
    namesUnderWay.contains(name) || (whole != nil && partCount == 0)
  }

  /// The first pending write of a collection, for tests.
  func first(of name: ResourceName) -> Write? {
    (lines[name]?.first ?? whole).flatMap { entries[$0]?.write }
  }

  /// Appends a write of some collections, each named once; nil for all.
  mutating func append(_ write: Write, names: [ResourceName]?) {
    let number = nextNumber
    nextNumber += 1
    entries[number] = Entry(write: write, names: names)
    if whole == nil { enter(number) } else { behindWhole.append(number) }
  }

  /// Starts the first write that is ready.
  ///
  /// - Returns: The write and the number to finish it with; nil if none is ready.
  mutating func begin() -> (write: Write, number: Int)? {
    guard !ready.isEmpty else { return nil }
    let number = ready.removeFirst()
    guard let entry = entries[number] else { return nil }
    namesUnderWay.formUnion(entry.names ?? [])
    return (entry.write, number)
  }

  /// Removes a write that was started.
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
    if entries.isEmpty { releaseMemory() }
  }

  /// Gives back the memory that empty dictionaries keep: of each client it would be more than a small collection.
  private mutating func releaseMemory() {
    let next = nextNumber
    self = WriteQueue()
    nextNumber = next
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
