import DeltaEngine

/// The contents of an older version that an image does not have anyway.
///
/// An image has its own contents, and those of one older version: changes that are kept lead on from
/// there to every version up to the image. What both versions have is there once.
struct OlderContents: Sendable {
  /// A content by its flat index, or by that of its section.
  typealias Piece = (index: Int, json: ArraySlice<UInt8>)

  /// What the older version has beside the sections.
  enum Meta: Sendable {
    case none
    /// The image's.
    case same
    case other(ArraySlice<UInt8>)
  }

  /// The number of the older version.
  var seq: Int
  /// Whether its lists inside items were read otherwise when its digest was made.
  var isReread = false
  /// Ascending; the other items have the bytes that the image has for their ids.
  var items: [Piece] = []
  /// Likewise, for the headers of sections.
  var headers: [Piece] = []
  var meta = Meta.none

  /// The bytes of contents that are not the image's.
  var byteCount: Int {
    var count = (items + headers).reduce(0) { $0 + $1.json.count }
    if case .other(let json) = meta { count += json.count }
    return count
  }
}

extension OlderContents {
  /// Reads what an image has of an older version; nil when it has nothing.
  init?(_ reader: inout StoredBytesReader) throws(DamagedData) {
    seq = try reader.number()
    if seq == 0 { return nil }
    isReread = try reader.number() == 1
    items = try Self.pieces(&reader)
    headers = try Self.pieces(&reader)
    switch try reader.number() {
    case 0: meta = .none
    case 1: meta = .same
    default: meta = .other(try reader.text())
    }
  }

  private static func pieces(_ reader: inout StoredBytesReader) throws(DamagedData) -> [Piece] {
    var pieces: [Piece] = []
    for _ in 0..<(try reader.count()) {
      pieces.append((index: try reader.index(below: .max), json: try reader.text()))
    }
    return pieces
  }
}

extension StoredBytesWriter {
  /// Writes what an image has of an older version.
  mutating func write(_ older: OlderContents?) {
    guard let older else { return number(0) }
    number(older.seq)
    number(older.isReread ? 1 : 0)
    for pieces in [older.items, older.headers] {
      number(pieces.count)
      for piece in pieces {
        number(piece.index)
        text(piece.json)
      }
    }
    switch older.meta {
    case .none: number(0)
    case .same: number(1)
    case .other(let json):
      number(2)
      text(json)
    }
  }
}

extension StoredCollection {
  /// The number of the oldest version whose contents an image has.
  public var oldestWhole: Int { older?.seq ?? history.head.seq }

  /// The bytes that the image keeps for an older version alone.
  public var olderByteCount: Int { older?.byteCount ?? 0 }

  /// Keeps the contents of an older version, from which changes lead on to this one; nil for none.
  ///
  /// - Complexity: O(n) in the items.
  public mutating func keep(_ version: StoredCollection?) {
    older = nil
    guard let version, version.history.head.seq < history.head.seq else { return }
    var kept = OlderContents(seq: version.history.head.seq, isReread: version.isReread)
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

  /// The oldest version whose contents an image has: itself, or one from which kept changes lead on.
  ///
  /// - Throws: `DamagedData` for contents that do not fit the history.
  public func oldest() throws(DamagedData) -> StoredCollection {
    guard let older else { return self }
    guard let past = history.ending(at: older.seq) else {
      throw DamagedData("contents of version \(older.seq), which is not kept")
    }
    var version = self
    version.older = nil
    version.isReread = older.isReread
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

  /// Whether two versions have the same contents at the same places, to the byte.
  public func hasSameContents(as other: StoredCollection) -> Bool {
    items == other.items && headers == other.headers && meta == other.meta
  }

  /// Where contents are, by id: the flat index of an item, the index of a section.
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

  /// Contents from the pieces, and where there is none from those that are held.
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
