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
  /// - Returns: The version; nil if contents of it that this takes are neither in memory nor read.
  package func viewed(
    _ view: CompiledView, at record: VersionRecord, _ read: RetainedVersion?, _ reader: JSONReader
  ) -> ViewedVersion? {
    let version = read.flatMap(viewable) ?? viewable(record)
    if let members = views.members(view.view, record.seq) {
      return ViewedVersion(version, members)
    }
    if view.asksForIgnored, record.seq != self.record.seq { return nil }
    guard let members = members(view, of: version, record, reader) else { return nil }
    views.insert(members, view.view, record.seq, contentBytes: contents.byteCount)
    return ViewedVersion(version, members)
  }

  private func members(
    _ view: CompiledView, of version: ViewableVersion, _ record: VersionRecord, _ reader: JSONReader
  ) -> ViewMembers? {
    // From the items of the version that the view was asked for last, only what changed is read.
    guard let last = views.newestMembers(view.view), let known = history[last.seq],
      !view.asksForIgnored
    else { return view.members(of: version, reader) }
    let changes = views.changes(from: last.seq, to: record.seq) {
      ViewChanges(from: viewable(known), to: version)
    }
    return view.members(last.members, changedBy: changes, to: version, reader)
  }

  /// Returns a retained version with those of its contents that are in memory.
  package func viewable(_ record: VersionRecord) -> ViewableVersion {
    let head = views.version(self.record.seq, head: self.record.seq) {
      ViewableVersion(sections: structure.folded, ids: ids, contents: contents)
    }
    if record.seq == self.record.seq { return head }
    return views.version(record.seq, head: self.record.seq) { older(record, than: head) }
  }

  /// A version with contents that were read from a store, which other readers may use as long as the head stays.
  private func viewable(_ read: RetainedVersion) -> ViewableVersion? {
    guard let contents = read.contents else { return nil }
    let version = ViewableVersion(
      sections: read.structure.folded, ids: ids, contents: contents)
    views.insert(version, read.record.seq, head: record.seq)
    return version
  }

  /// An older version with the contents that it has in common with the head, and those that were replaced lately.
  private func older(_ record: VersionRecord, than head: ViewableVersion) -> ViewableVersion {
    let sections = history.structure(of: record.seq, head: structure).folded
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
    // The hashes of items with lists cover the lists; those of what was replaced do not.
    let texts = hasLists ? [:] : replaced.texts(of: Set(missing.map(\.content)))
    var tail = contents.tail
    for (index, content) in missing {
      guard let text = texts[content] else { continue }
      places[index] = Contents.Place(
        offset: contents.buffer.count + tail.count, count: text.count)
      tail += text
    }
    return ViewableVersion(
      sections: sections, ids: ids,
      contents: Contents(
        buffer: contents.buffer, tail: tail, itemPlaces: places, headerPlaces: [], metaPlace: nil,
        sharesBuffer: true))
  }
}
