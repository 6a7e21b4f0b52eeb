/// The updates that wait while one is under way, without threads or locks.
///
/// One update is under way at a time, from its calculation until the view has shown it. Updates
/// that arrive meanwhile are taken together as the next one: with B and C arriving, A → C.
struct UpdateQueue<Element: Sendable>: Sendable {
  /// How many replacements keep their content, each with the edits after it, in case the later ones
  /// are rejected.
  static var replacementsMax: Int { 16 }

  private(set) var isBusy = false
  private var waiting: [Operation<Element>] = []
  private var lastNumber = 0

  /// Adds an update.
  ///
  /// - Returns: Its number; whether nothing was under way, so that the caller must start it; and
  ///   replaced contents, to be released outside of any lock.
  mutating func add(
    _ change: Operation<Element>.Change, ignoresDataCount: Bool, isAnimated: Bool = true,
    completion: UpdateCompletion?
  ) -> (number: Int, starts: Bool, dropped: [Operation<Element>.Change]) {
    lastNumber += 1
    let operation = Operation(
      number: lastNumber, change: change, ignoresDataCount: ignoresDataCount,
      isAnimated: isAnimated, completion: completion)
    let dropped = operation.isReplacement ? dropOldest() : []
    waiting.append(operation)
    defer { isBusy = true }
    return (lastNumber, !isBusy, dropped)
  }

  mutating func takeAll() -> [Operation<Element>] {
    defer { waiting = [] }
    return waiting
  }

  /// Marks the queue as busy.
  ///
  /// - Returns: `false` if it already was.
  mutating func occupy() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Ends the update under way.
  ///
  /// - Returns: Whether others wait: the queue stays busy, and the caller must start the next.
  mutating func finish() -> Bool {
    isBusy = !waiting.isEmpty
    return isBusy
  }

  /// Drops the content of what a new replacement replaces, except after the latest replacements: an
  /// edit is never left without the content that it was made of.
  private mutating func dropOldest() -> [Operation<Element>.Change] {
    var dropped: [Operation<Element>.Change] = []
    var kept = 1
    for index in waiting.indices.reversed() {
      // All before a dropped one are dropped too.
      if waiting[index].isDropped { break }
      if kept == Self.replacementsMax {
        if waiting[index].reload != nil { continue }
        dropped.append(waiting[index].change)
        waiting[index].change = .dropped
      } else if waiting[index].isReplacement {
        kept += 1
      }
    }
    return dropped
  }
}
