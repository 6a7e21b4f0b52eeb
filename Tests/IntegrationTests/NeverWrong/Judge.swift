/// Holds what happened against what must hold, run after run of one server.
///
/// It knows nothing of how the server works: a token's lineage and number, and what was told.
struct Judge {
  /// A collection between its creation and its deletion.
  struct Lineage {
    var tokens: [Int: String] = [:]
    var contents: [Int: KnownContent] = [:]
    var acknowledged: Set<String> = []
    var seqMax: Int { tokens.keys.max() ?? 0 }
    /// Versions that nobody was told of: a write without an answer may have made them.
    var unseen: Int { seqMax - tokens.count }
    /// Versions that no acknowledged write made.
    var unclaimed: Int { unseen + tokens.values.count { !acknowledged.contains($0) } }
  }

  struct Collection {
    var lineages: [Substring: Lineage] = [:]
    /// The highest number of each lineage that anybody was told, and so everybody must be.
    var told: [Substring: Int] = [:]
    /// Lineages that were deleted, or may have been, and the earliest that it may have been.
    var mayBeGone: [Substring: Int] = [:]
    /// Lineages that are gone, and since when.
    var gone: [Substring: Int] = [:]
    var lostWrites = 0
    /// Versions of deleted lineages that no acknowledged write made.
    var unclaimedAndGone = 0
  }

  /// Collections whose settings change: their history may be cut short.
  let unruly: Set<String>
  var collections: [String: Collection] = [:]
  var refusedPairs: Set<Int> = []
  private(set) var faults: [String] = []
  private(set) var counts: [String: Int] = [:]

  init(unruly: Set<String>) { self.unruly = unruly }

  /// Judges the events of one run.
  mutating func judge(_ events: [Event]) {
    let ordered = events.sorted { $0.end < $1.end }
    for event in ordered { noteDeletion(event) }
    for event in ordered {
      count(event)
      checkVersions(event)
    }
    checkOrder(ordered)
    checkPairs(ordered)
    checkChains()
    for name in collections.keys { forget(name) }
  }

  mutating func note(_ fault: String, _ event: Event? = nil) {
    let who = event.map { "\($0.actor), \($0.collection), \($0.start)-\($0.end): " } ?? ""
    faults.append(who + fault)
  }

  private mutating func count(_ event: Event) {
    let name =
      switch event.what {
      case .wrote: "writes acknowledged"
      case .claimed: "writes replayed"
      case .refused, .refusedPair: "writes refused"
      case .lost: "writes without an answer"
      case .deleted: "deletions"
      case .read(let reading): reading.reset.map { "resets, \($0)" } ?? "readings, \(reading.kind)"
      case .missing: "readings, none there"
      case .pair: "pairs seen"
      case .fault: "faults"
      }
    counts[name, default: 0] += 1
  }

  private mutating func noteDeletion(_ event: Event) {
    guard case .deleted(let version, let isAcknowledged) = event.what,
      let parts = TokenParts(version)
    else { return }
    var collection = collections[event.collection] ?? Collection()
    let start = collection.mayBeGone[parts.lineage] ?? event.start
    collection.mayBeGone[parts.lineage] = min(start, event.start)
    if isAcknowledged { collection.gone[parts.lineage] = event.end }
    collections[event.collection] = collection
  }

  // MARK: One version has one token and one content

  private mutating func checkVersions(_ event: Event) {
    switch event.what {
    case .fault(let fault): note(fault, event)
    case .lost: collections[event.collection, default: Collection()].lostWrites += 1
    case .claimed(let version): acknowledge(version, event)
    case .wrote(let version, let previous, let isChange):
      acknowledge(version, event)
      checkLink(version, previous, isChange, event)
    case .read(let reading):
      register(reading.version, reading.content, event)
      checkReset(reading, event)
    default: break
    }
  }

  private mutating func acknowledge(_ version: String, _ event: Event) {
    register(version, nil, event)
    guard let parts = TokenParts(version) else { return }
    collections[event.collection]?.lineages[parts.lineage]?.acknowledged.insert(version)
  }

  private mutating func register(_ token: String, _ content: KnownContent?, _ event: Event) {
    guard let parts = TokenParts(token) else {
      return note("\(token) is no token", event)
    }
    var collection = collections[event.collection] ?? Collection()
    var lineage = collection.lineages.removeValue(forKey: parts.lineage) ?? Lineage()
    if let known = lineage.tokens[parts.seq], known != token {
      note("two versions \(parts.seq): \(known) and \(token)", event)
    }
    lineage.tokens[parts.seq] = token
    if let content {
      if let known = lineage.contents[parts.seq] {
        if !known.fits(content) {
          note("\(token) shows\n\(content)\nand to others\n\(known)", event)
        }
        if known.whole == nil { lineage.contents[parts.seq] = content }
      } else {
        lineage.contents[parts.seq] = content
      }
    }
    collection.lineages[parts.lineage] = lineage
    collections[event.collection] = collection
  }

  private mutating func checkLink(
    _ version: String, _ previous: String?, _ isChange: Bool?, _ event: Event
  ) {
    guard let parts = TokenParts(version), let previous, let before = TokenParts(previous) else {
      return
    }
    register(previous, nil, event)
    let step = isChange == true ? 1 : 0
    if before.lineage != parts.lineage || before.seq + step != parts.seq {
      note("\(version) follows \(previous)", event)
    }
  }

  // MARK: Readers go on from where they were

  private mutating func checkReset(_ reading: Event.Reading, _ event: Event) {
    guard let now = TokenParts(reading.version) else { return }
    switch reading.asked {
    case .nothing:
      if reading.reset != nil { note("a reset of nothing", event) }
    case .forged(let token):
      let isForeign = TokenParts(token)?.lineage != now.lineage
      let wanted = isForeign ? ["lineage-changed"] : ["diverged", "history-compacted"]
      if !wanted.contains(reading.reset ?? "") {
        note("\(token), a forgery, was answered by \(reading)", event)
      }
    case .held(let token):
      guard let then = TokenParts(token) else { return }
      switch reading.reset {
      case nil: if reading.kind == "snapshot" { note("a snapshot since \(token)", event) }
      case "lineage-changed":
        if then.lineage == now.lineage { note("\(token) is of another lineage", event) }
      case "history-compacted":
        let isNear = now.seq - then.seq < 60 && !unruly.contains(event.collection)
        if then.lineage != now.lineage || isNear { note("\(token) compacted", event) }
      case let reason?: note("\(token): \(reason), at \(reading.version)", event)
      }
    }
  }

  /// What nobody can be told any more.
  private mutating func forget(_ name: String) {
    guard var collection = collections.removeValue(forKey: name) else { return }
    for (id, lineage) in collection.lineages {
      if collection.gone[id] != nil {
        collection.unclaimedAndGone += lineage.unclaimed
        collection.lineages[id] = nil
        collection.told[id] = nil
      } else {
        let oldest = lineage.seqMax - 200
        collection.lineages[id]?.contents = lineage.contents.filter { $0.key >= oldest }
      }
    }
    collections[name] = collection
  }
}
