/// Where the parts of a snapshot's top level are.
struct Layout {
  /// The array of sections, or of items.
  private(set) var list: UInt32
  private(set) var meta: UInt32?
  private(set) var settings: UInt32?
  /// Whether `list` holds items.
  private(set) var isFlat: Bool
  /// The pointer to `list` from the snapshot's value.
  let listPointer: String

  /// - Throws: `badSnapshot` for members that are unknown, missing, doubled or not arrays.
  init(_ reader: borrowing SnapshotReader) throws(SnapshotError) {
    let root = UInt32(reader.value.index)
    switch reader.value.kind {
    case .array:
      (list, isFlat, listPointer) = (root, true, "")
    case .object:
      let members = try Layout.members(root, reader)
      (list, isFlat) = try Layout.list(members, reader)
      listPointer = isFlat ? "/items" : "/sections"
      meta = members["meta"]
      settings = members["settings"]
    case let kind:
      throw reader.bad("", "a snapshot is an object or an array of items, not \(kind.noun)")
    }
  }

  /// The pointer to an item from the snapshot's value.
  func itemPointer(section: Int, item: Int) -> String {
    isFlat ? "\(listPointer)/\(item)" : "\(listPointer)/\(section)/items/\(item)"
  }

  private static func members(
    _ root: UInt32, _ reader: borrowing SnapshotReader
  ) throws(SnapshotError) -> [String: UInt32] {
    var members: [String: UInt32] = [:]
    let object = JSONValue(storage: reader.value.storage, index: Int(root))
    for (key, value) in object.members {
      let place = "/" + JSONPointer.escape(key)
      guard ["sections", "items", "meta", "settings"].contains(key) else {
        throw reader.bad(
          place, "a snapshot has sections or items, meta and settings; this is none of them")
      }
      guard members.updateValue(UInt32(value.index), forKey: key) == nil else {
        throw reader.bad(place, "the member \(key) stands twice")
      }
    }
    return members
  }

  private static func list(
    _ members: [String: UInt32], _ reader: borrowing SnapshotReader
  ) throws(SnapshotError) -> (UInt32, Bool) {
    let isFlat = members["sections"] == nil
    guard isFlat || members["items"] == nil else {
      throw reader.bad("/items", "a snapshot has sections or items, not both")
    }
    guard let list = members["sections"] ?? members["items"] else {
      throw reader.bad("", "a snapshot has sections or items; this has neither")
    }
    try reader.requireArray(list, isFlat ? "/items" : "/sections")
    return (list, isFlat)
  }
}

/// Where the parts of a section are.
struct SectionParts {
  let id: UInt32
  let items: UInt32

  /// - Throws: `badSnapshot` unless it is an object with one `id` and one array of `items`.
  init(_ section: UInt32, at index: Int, _ reader: borrowing SnapshotReader) throws(SnapshotError) {
    let place = "/sections/\(index)"
    let kind = reader.tape[Int(section)].kind
    guard kind == .object else {
      throw reader.bad(place, "a section is an object, not \(kind.noun)")
    }
    func one(_ name: StaticString) throws(SnapshotError) -> UInt32 {
      switch reader.member(name, of: section) {
      case .one(let value): return value
      case .none: throw reader.bad(place, "the section has no \(name)")
      case .several: throw reader.bad("\(place)/\(name)", "the member \(name) stands twice")
      }
    }
    id = try one("id")
    items = try one("items")
    try reader.requireArray(items, place + "/items")
  }
}

extension SnapshotReader {
  func requireArray(_ index: UInt32, _ place: String) throws(SnapshotError) {
    let kind = tape[Int(index)].kind
    guard kind == .array else { throw bad(place, "expected an array, not \(kind.noun)") }
  }

  /// How often a member stands in an object.
  enum Found {
    case none
    case one(UInt32)
    case several
  }

  /// Looks for a member by its unescaped name.
  func member(_ name: StaticString, of object: UInt32) -> Found {
    var found = Found.none
    let end = tape[Int(object)].next
    var at = object + 1
    while at < end {
      let token = tape[Int(at)]
      if isName(token, name) {
        guard case .none = found else { return .several }
        found = .one(at + 1)
      }
      at = tape[Int(at) + 1].next
    }
    return found
  }

  @inline(__always)
  private func isName(_ token: Token, _ name: StaticString) -> Bool {
    let count = name.utf8CodeUnitCount
    guard !token.hasEscapes else { return isEscapedName(token, name) }
    guard token.count == count + 2 else { return false }
    let start = text + Int(token.offset) + 1
    for at in 0..<count where start[at] != name.utf8Start[at] { return false }
    return true
  }

  private func isEscapedName(_ token: Token, _ name: StaticString) -> Bool {
    JSONValue.unescaped(token, in: value.storage)
      .elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Counts sections and items, so that limits are checked and memory is asked for once.
  mutating func count(_ layout: Layout) throws(SnapshotError) {
    var itemCount = 0
    if layout.isFlat {
      itemCount = elementCount(layout.list)
    } else {
      let sectionCount = elementCount(layout.list)
      guard sectionCount <= limits.sectionsMax else {
        throw SnapshotError(
          .tooManySections, at: pointer + "/sections",
          "\(sectionCount) sections; at most \(limits.sectionsMax)", limit: limits.sectionsMax)
      }
      sections.reserveCapacity(sectionCount)
      itemCount = try sectionedItemCount(layout.list)
    }
    guard itemCount <= limits.itemsMax else {
      throw SnapshotError(
        .tooManyItems, at: pointer + (layout.isFlat ? layout.listPointer : "/sections"),
        "\(itemCount) items; at most \(limits.itemsMax)", limit: limits.itemsMax)
    }
    items.reserveCapacity(itemCount)
  }

  private func sectionedItemCount(_ list: UInt32) throws(SnapshotError) -> Int {
    var sum = 0
    var section = list + 1
    var index = 0
    while section < tape[Int(list)].next {
      sum += elementCount(try SectionParts(section, at: index, self).items)
      section = tape[Int(section)].next
      index += 1
    }
    return sum
  }

  private func elementCount(_ list: UInt32) -> Int {
    let end = tape[Int(list)].next
    var count = 0
    var element = list + 1
    while element < end {
      element = tape[Int(element)].next
      count += 1
    }
    return count
  }
}
