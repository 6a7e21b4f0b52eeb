package import SnapshotJSON

extension CompiledView {
  /// Whether a reader sees the same of two versions, numbers included; what equality ignores may differ.
  ///
  /// - Throws: `WorkStop`.
  /// - Returns: Whether they are the same; false if contents that are needed to tell are not available.
  /// - Complexity: O(*n*), where *n* is the number of items shown, and in the bytes of those that changed if the view
  ///   selects members.
  package func isSame(
    _ older: ViewedVersion, _ olderRun: ViewRun, _ newer: ViewedVersion, _ newerRun: ViewRun,
    _ reader: JSONReader, _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> Bool {
    guard olderRun == newerRun else { return false }
    let slots = (slots(olderRun, of: older), slots(newerRun, of: newer))
    guard slots.0.count == slots.1.count else { return false }
    // In lists with repeated ids the ids of a version are not those of its readers.
    let isNumbered = newer.version.ids.hasOccurrenceNames
    if isNumbered {
      guard let names = try older.names(olderRun, slots.0, meter),
        try names == newer.names(newerRun, slots.1, meter)
      else { return false }
    }
    for (old, new) in zip(slots.0, slots.1) {
      let ids = (
        old.section.map { older.version.sections[$0].uniqueID },
        new.section.map { newer.version.sections[$0].uniqueID }
      )
      guard old.positions == new.positions, old.part == new.part, isNumbered || ids.0 == ids.1
      else { return false }
    }
    let headers = try shownHeaders(of: slots.0.map(\.section), in: older, reader, meter)
    guard !headers.contains(.missing),
      try headers == shownHeaders(of: slots.1.map(\.section), in: newer, reader, meter)
    else { return false }
    var changed: (old: [Int], new: [Int]) = ([], [])
    for position in olderRun.positions {
      let old = older.members.flatIndex(at: position)
      let new = newer.members.flatIndex(at: position)
      let (item, other) = (older.version.item(at: old), newer.version.item(at: new))
      guard isNumbered || item.uniqueID == other.uniqueID else { return false }
      if item.content == other.content { continue }
      if selection == nil { return false }
      changed.old.append(old)
      changed.new.append(new)
    }
    if changed.old.isEmpty { return true }
    guard let old = try projected(changed.old, of: older.version, reader, meter),
      let new = try projected(changed.new, of: newer.version, reader, meter)
    else { return false }
    return old.hashes == new.hashes
  }

  /// Returns what becomes of the items that one list has and another has not.
  ///
  /// - Parameters:
  ///   - held: The list that the reader holds.
  ///   - list: The list of a newer version.
  ///   - viewed: That version.
  ///   - meter: The work.
  /// - Throws: `WorkStop`.
  /// - Returns: The numbers of the ids that are gone from what the reader may see, and of those that left the view
  ///   and are still there; both in the order of the older list. A numbered id, `id#k`, is still there as long as `id`
  ///   is, unless a view is imposed.
  package func departures(
    from held: ViewedList, to list: ViewedList, of viewed: ViewedVersion,
    _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> (deleted: [UInt32], left: [UInt32]) {
    let kept = Set(list.sections.lazy.flatMap(\.items).map(\.uniqueID))
    var departures: (deleted: [UInt32], left: [UInt32]) = ([], [])
    for item in held.sections.lazy.flatMap(\.items) where !kept.contains(item.uniqueID) {
      let sentID = held.sentIDs[item.uniqueID]
      let isGone = sentID != nil && view.restriction != nil
      if isGone {
        departures.deleted.append(item.uniqueID)
      } else if try viewed.isAllowed(sentAs: sentID ?? item.uniqueID, meter) {
        departures.left.append(item.uniqueID)
      } else {
        departures.deleted.append(item.uniqueID)
      }
    }
    return departures
  }
}

extension ViewedVersion {
  /// The ids of the sections and items of a list, as its reader numbers them; nil if one is not known.
  fileprivate func names(
    _ run: ViewRun, _ slots: [CompiledView.Slot], _ meter: WorkMeter
  ) throws(WorkStop) -> [[UInt32]]? {
    guard let sections = try ids(ofSections: slots.compactMap(\.section), meter),
      let items = try ids(ofItems: run.positions.map { members.flatIndex(at: $0) }, meter)
    else { return nil }
    return [sections.names, items.names]
  }
}
