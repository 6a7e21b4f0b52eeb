import DeltaEngine
package import SnapshotJSON

extension CollectionState {
  /// Returns a retained version as a view shows it.
  ///
  /// - Parameters:
  ///   - view: The view, prepared for the settings of this state.
  ///   - record: The version.
  ///   - read: The version as it was read from a store, if it was.
  ///   - reader: The JSON reader.
  ///   - meter: The work.
  /// - Returns: The version; nil if contents of it that this takes are neither in memory nor read.
  /// - Throws: `WorkStop`.
  package func viewed(
    _ view: CompiledView, at record: VersionRecord, _ read: RetainedVersion?, _ reader: JSONReader,
    _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> ViewedVersion? {
    var version = read.flatMap(viewable) ?? viewable(record)
    version.ids = ids
    if let members = views.members(view.view, record.seq) {
      return ViewedVersion(version, members, idPath: settings.idPath)
    }
    if view.asksForIgnored, record.seq != self.record.seq { return nil }
    guard let members = try members(view, of: version, record, reader, meter) else { return nil }
    views.insert(members, view.view, record.seq, contentBytes: contents.byteCount)
    return ViewedVersion(version, members, idPath: settings.idPath)
  }

  private func members(
    _ view: CompiledView, of version: ViewableVersion, _ record: VersionRecord,
    _ reader: JSONReader, _ meter: WorkMeter
  ) throws(WorkStop) -> ViewMembers? {
    // From the items of the version that the view was asked for last, only what changed is read.
    guard let last = views.newestMembers(view.view), let known = history[last.seq],
      !view.asksForIgnored
    else { return try view.members(of: version, reader, meter) }
    let changes = views.changes(from: last.seq, to: record.seq) {
      touchedChanges(from: last.seq, to: record.seq)
        ?? ViewChanges(from: viewable(known), to: version)
    }
    // Comparing two versions takes some time for each item.
    try meter.spend(8 * version.itemCount)
    return try view.members(last.members, changedBy: changes, to: version, reader, meter)
  }

  /// Whether a reader of a view is known to see the same of the head as of an older version.
  ///
  /// If so, what is remembered of the view is carried on to the head.
  ///
  /// - Complexity: O(*k*), where *k* is the number of items that changed, if all others are where they were.
  package func showsSame(
    _ query: ViewQuery, as record: VersionRecord, _ reader: JSONReader
  ) -> Bool {
    guard let touched = touched(from: record.seq, to: self.record.seq),
      touched.count <= Self.followedMax,
      !touched.contains(where: { $0.mayTouch(query, reader) })
    else { return false }
    views.carry(query.view, from: record.seq, to: self.record.seq, by: touched.map(\.changes))
    return true
  }

  /// The most versions that a reader is compared with at once on its shard's queue.
  private static let followedMax = 8

  /// What the versions after one touch, up to another; nil if that is not kept.
  private func touched(from older: Int, to newer: Int) -> ArraySlice<TouchedItems>? {
    let first = touched.count - (record.seq - older)
    guard first >= 0, older < newer else { return nil }
    return touched[first..<first + newer - older]
  }

  private func touchedChanges(from older: Int, to newer: Int) -> ViewChanges? {
    guard let changes = touched(from: older, to: newer)?.map(\.changes) else { return nil }
    if changes.count == 1 { return changes[0] }
    return changes.allSatisfy(\.isInPlace) ? ViewChanges(joining: changes) : nil
  }

  /// Returns a retained version with those of its contents that are in memory.
  package func viewable(_ record: VersionRecord) -> ViewableVersion {
    let head = views.version(self.record.seq, head: self.record.seq) {
      ViewableVersion(sections: sections, ids: ids, contents: contents)
    }
    if record.seq == self.record.seq { return head }
    return views.version(record.seq, head: self.record.seq) { older(record, than: head) }
  }

  /// A version with contents that were read from a store, which other readers may use as long as the head stays.
  private func viewable(_ read: RetainedVersion) -> ViewableVersion? {
    guard let contents = read.contents else { return nil }
    // The collection may have been evicted and loaded since it was read, and its ids have other numbers now.
    let sections = history.sections(of: read.record.seq, head: sections)
    let version = ViewableVersion(sections: sections, ids: ids, contents: contents)
    views.insert(version, read.record.seq, head: record.seq)
    return version
  }

  /// An older version with the contents that it has in common with the head, and those that were replaced lately.
  private func older(_ record: VersionRecord, than head: ViewableVersion) -> ViewableVersion {
    if let touched = touched(from: record.seq, to: self.record.seq),
      touched.allSatisfy(\.keepsIDs)
    {
      return older(than: head, by: touched)
    }
    let sections = history.sections(of: record.seq, head: sections)
    let newer = head.sections.flatItems
    let items = sections.flatItems
    var places: [Contents.Place] = []
    places.reserveCapacity(items.count)
    var missing: [(index: Int, content: ContentHash)] = []
    for (index, item) in items.enumerated() {
      if let flat = head.flatIndex(of: item.uniqueID), newer[flat].content == item.content {
        places.append(contents.itemPlaces[flat])
      } else {
        places.append(Contents.Place(offset: 0, count: 0))
        missing.append((index, item.content))
      }
    }
    let texts = replaced.texts(of: Set(missing.map(\.content)))
    var tail = contents.tail
    for (index, content) in missing {
      guard let text = texts[content] else { continue }
      places[index] = Contents.Place(
        offset: contents.buffer.count + tail.count, count: text.count)
      tail += text
    }
    return ViewableVersion(
      sections: sections, ids: ids, contents: contents(at: places, tail),
      headerPlaces: headerPlaces(of: sections))
  }

  /// Where the headers of an older version's sections are that the head has, too; the others are empty.
  private func headerPlaces(of older: [StructureSection]) -> [Contents.Place] {
    let known = Dictionary(zip(sections.map(\.uniqueID), sections.indices)) { first, _ in first }
    return older.map { section in
      guard let index = known[section.uniqueID], sections[index].header == section.header else {
        return Contents.Place(offset: 0, count: 0)
      }
      return contents.headerPlaces[index]
    }
  }

  /// The version before those that reload some items of it.
  private func older(
    than head: ViewableVersion, by touched: ArraySlice<TouchedItems>
  ) -> ViewableVersion {
    var sections = head.sections
    var (places, tail) = (contents.itemPlaces, contents.tail)
    // Of an item that was reloaded more than once the oldest is put in last.
    for (flat, item, text) in touched.reversed().flatMap(\.replaced) {
      let section = head.section(of: flat)
      sections[section].items[flat - head.firstItems[section]] = item
      places[flat] = Contents.Place(
        offset: contents.buffer.count + tail.count, count: text.count)
      tail += text
    }
    return ViewableVersion(
      sections: sections, ids: ids, contents: contents(at: places, tail),
      headerPlaces: contents.headerPlaces, placedAs: head)
  }

  /// The contents of items at places in the memory of the head's contents, or in a tail of it.
  private func contents(at places: [Contents.Place], _ tail: [UInt8]) -> Contents {
    Contents(
      buffer: contents.buffer, tail: tail, itemPlaces: places, headerPlaces: [], metaPlace: nil,
      sharesBuffer: true)
  }
}
