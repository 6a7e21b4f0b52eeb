import DeltaEngine

extension StoredCollection {
  /// The number of the oldest version whose contents the image has.
  public var oldestWithContents: Int { older?.seq ?? history.head.seq }

  /// The bytes of contents in the image that only an older version has.
  public var olderByteCount: Int { older?.byteCount ?? 0 }

  /// Sets the older version whose contents the image keeps; nil for none.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  public mutating func keep(_ version: StoredCollection?) {
    older = nil
    guard let version, version.history.head.seq < history.head.seq else { return }
    var kept = OlderContents(seq: version.history.head.seq)
    let held = places
    for (index, item) in version.sections.flatItems.enumerated() {
      let place = ids.find(version.ids.text(item.uniqueID)).flatMap { held.items[$0] }
      if place.map({ items[$0] == version.items[index] }) ?? false { continue }
      kept.items.append((index, version.items[index]))
    }
    for (index, section) in version.sections.enumerated() {
      let place = ids.find(version.ids.text(section.uniqueID)).flatMap { held.sections[$0] }
      if place.map({ headers[$0] == version.headers[index] }) ?? false { continue }
      kept.headers.append((index, version.headers[index]))
    }
    kept.meta = version.meta.map { $0 == meta ? .same : .other($0) } ?? .none
    older = kept
  }

  /// Returns the oldest version whose contents the image has.
  ///
  /// - Throws: `DamagedData` if the contents do not match the history.
  public func oldest() throws(DamagedData) -> StoredCollection {
    guard let older else { return self }
    guard let past = history.ending(at: older.seq) else {
      throw DamagedData("contents of version \(older.seq), which is not kept")
    }
    var version = self
    version.older = nil
    version.sections = history.sections(of: older.seq, head: sections)
    version.history = past
    let held = places
    version.items = try Self.contents(
      version.sections.flatItems.map { held.items[$0.uniqueID] }, items, older.items)
    version.headers = try Self.contents(
      version.sections.map { held.sections[$0.uniqueID] }, headers, older.headers)
    switch older.meta {
    case .none: version.meta = nil
    case .same: break
    case .other(let json): version.meta = json
    }
    return version
  }

  /// Whether two versions have byte-identical contents at the same places.
  public func hasSameContents(as other: StoredCollection) -> Bool {
    items == other.items && headers == other.headers && meta == other.meta
  }

  /// The flat index of each item and the index of each section, by id.
  private var places: (items: [UInt32: Int], sections: [UInt32: Int]) {
    var places = (items: [UInt32: Int](minimumCapacity: items.count), sections: [UInt32: Int]())
    var flat = 0
    for (index, section) in sections.enumerated() {
      places.sections[section.uniqueID] = index
      for item in section.items {
        places.items[item.uniqueID] = flat
        flat += 1
      }
    }
    return places
  }

  /// Combines the pieces with contents of the image at the given places.
  private static func contents(
    _ places: [Int?], _ held: [ArraySlice<UInt8>], _ pieces: [OlderContents.Piece]
  ) throws(DamagedData) -> [ArraySlice<UInt8>] {
    var contents: [ArraySlice<UInt8>] = []
    contents.reserveCapacity(places.count)
    var rest = pieces[...]
    for (index, place) in places.enumerated() {
      if let piece = rest.first, piece.index == index {
        contents.append(piece.json)
        rest.removeFirst()
      } else if let place {
        contents.append(held[place])
      } else {
        throw DamagedData("content \(index) of an older version is missing")
      }
    }
    guard rest.isEmpty else { throw DamagedData("contents of an older version belong to nothing") }
    return contents
  }
}
