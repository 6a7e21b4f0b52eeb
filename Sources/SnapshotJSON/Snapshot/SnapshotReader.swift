import DeltaEngine

/// One reading of a snapshot: a walk over the tape that copies contents, hashes them, and finds ids.
///
/// It knows where it is by indices; pointers for errors are made from them when one is thrown.
struct SnapshotReader: ~Copyable {
  let text: UnsafePointer<UInt8>
  let tape: UnsafePointer<Token>
  let limits: SnapshotLimits
  let options: SnapshotOptions
  let pointer: String
  let value: JSONValue
  private var canonicalizer: Canonicalizer
  private var minifier: Minifier

  var sections: [Snapshot.Section] = []
  var items: [Snapshot.Item] = []
  var meta: Snapshot.Slice?
  var settings: Snapshot.Slice?
  /// How many bytes of the buffer are written.
  var used = 0

  typealias Output = UnsafeMutablePointer<UInt8>

  init(
    value: JSONValue, text: UnsafePointer<UInt8>, tape: UnsafePointer<Token>,
    limits: SnapshotLimits, seed: UInt64, options: SnapshotOptions, pointer: String
  ) {
    self.value = value
    self.text = text
    self.tape = tape
    self.limits = limits
    self.options = options
    self.pointer = pointer
    canonicalizer = Canonicalizer(
      text: text, textCount: value.storage.bytes.count, tape: tape, seed: seed)
    minifier = Minifier(text: text, tape: tape)
  }

  mutating func read() -> Result<Snapshot, SnapshotError> {
    do throws(SnapshotError) {
      return .success(try readAll())
    } catch {
      return .failure(error)
    }
  }

  private mutating func readAll() throws(SnapshotError) -> Snapshot {
    let layout = try Layout(self)
    try count(layout)
    var fault: SnapshotError?
    let buffer = [UInt8](unsafeUninitializedCapacity: bufferSize) { out, count in
      guard let out = out.baseAddress else { return }
      do throws(SnapshotError) {
        try fill(layout, out)
        try refuseDuplicates(layout, out)
      } catch {
        fault = error
      }
      count = used
    }
    if let fault { throw fault }
    return Snapshot(
      buffer: buffer, sections: sections, items: items, meta: meta, settings: settings,
      isFlat: layout.isFlat)
  }

  /// What is copied is part of the text, once, except that an id spelled with escapes stands
  /// twice; a flat list gets a header that is not in the text.
  private var bufferSize: Int {
    let token = value.token
    return Snapshot.anonymousHeader.utf8CodeUnitCount
      + (token.hasEscapes ? 2 * token.count : token.count)
  }

  private mutating func fill(_ layout: Layout, _ out: Output) throws(SnapshotError) {
    if layout.isFlat {
      try readFlat(layout, out)
    } else {
      var index = 0
      var section = layout.list + 1
      while section < tape[Int(layout.list)].next {
        try readSection(section, at: index, layout, out)
        section = tape[Int(section)].next
        index += 1
      }
    }
    meta = layout.meta.map { copy($0, out) }
    settings = layout.settings.map { copy($0, out) }
  }

  mutating func copy(_ index: UInt32, _ out: Output) -> Snapshot.Slice {
    let start = used
    minifier.copy(index, out, &used)
    return Snapshot.Slice(offset: start, count: used - start)
  }

  // MARK: Sections

  private mutating func readFlat(_ layout: Layout, _ out: Output) throws(SnapshotError) {
    let header = Snapshot.anonymousHeader
    (out + used).update(from: header.utf8Start, count: header.utf8CodeUnitCount)
    let slice = Snapshot.Slice(offset: used, count: header.utf8CodeUnitCount)
    used += header.utf8CodeUnitCount
    // The id stands between the quotes at the end of {"id":""}.
    let id = Snapshot.Slice(offset: slice.offset + slice.count - 2, count: 0)
    try readItems(layout.list, in: 0, layout, out)
    sections.append(
      Snapshot.Section(
        id: id, idHash: hash(id, out), header: slice,
        content: canonicalizer.hash(bytes(slice, out)), items: 0..<items.count))
  }

  private mutating func readSection(
    _ section: UInt32, at index: Int, _ layout: Layout, _ out: Output
  ) throws(SnapshotError) {
    let parts = try SectionParts(section, at: index, self)
    let start = used
    minifier.watched = parts.id
    minifier.copyMembers(section, skipping: parts.items, out, &used)
    let header = Snapshot.Slice(offset: start, count: used - start)
    let id = try id(parts.id, out) { "/sections/\(index)\($0)" }
    let content = canonicalizer.hash(section, skipping: [parts.items])
    let first = items.count
    try readItems(parts.items, in: index, layout, out)
    sections.append(
      Snapshot.Section(
        id: id, idHash: hash(id, out), header: header, content: content, items: first..<items.count
      ))
  }

  // MARK: Items

  private mutating func readItems(
    _ list: UInt32, in section: Int, _ layout: Layout, _ out: Output
  ) throws(SnapshotError) {
    let end = tape[Int(list)].next
    let first = items.count
    var item = list + 1
    while item < end {
      try readItem(item, out) { layout.itemPointer(section: section, item: $0 - first) }
      item = tape[Int(item)].next
    }
  }

  private mutating func readItem(
    _ item: UInt32, _ out: Output, _ place: (Int) -> String
  ) throws(SnapshotError) {
    guard tape[Int(item)].kind == .object else {
      throw bad(place(items.count), "an item is an object, not \(tape[Int(item)].kind.noun)")
    }
    let idIndex = try itemID(item, place)
    minifier.watched = idIndex
    let json = copy(item, out)
    guard json.count <= limits.itemBytesMax else {
      throw SnapshotError(
        .itemTooLarge, at: pointer + place(items.count),
        "the item is \(json.count) bytes long; at most \(limits.itemBytesMax)",
        limit: limits.itemBytesMax)
    }
    let index = items.count
    let id = try id(idIndex, out) { place(index) + $0 }
    items.append(
      Snapshot.Item(
        id: id, idHash: hash(id, out), json: json, content: canonicalizer.hash(item)))
  }

  private func itemID(_ item: UInt32, _ place: (Int) -> String) throws(SnapshotError) -> UInt32 {
    switch member("id", of: item) {
    case .one(let value): return value
    case .none: throw bad(place(items.count), "the item has no id")
    case .several: throw bad(place(items.count) + "/id", "the member id stands twice")
    }
  }

  // MARK: Ids

  /// The slice of an id that was just copied; one spelled with escapes is added unescaped.
  private mutating func id(
    _ index: UInt32, _ out: Output, _ place: (String) -> String
  ) throws(SnapshotError) -> Snapshot.Slice {
    let token = tape[Int(index)]
    let slice: Snapshot.Slice
    if token.kind == .string {
      slice = stringID(token, out)
    } else if token.kind == .number, token.info & Token.fractional == 0 {
      slice = Snapshot.Slice(offset: minifier.watchedOut, count: token.count)
    } else {
      throw bad(place("/id"), "an id is a string or an integer, not \(token.idNoun)")
    }
    guard slice.count > 0 else { throw bad(place("/id"), "the id is empty") }
    guard slice.count <= limits.idBytesMax else {
      throw SnapshotError(
        .idTooLong, at: pointer + place("/id"),
        "the id is \(slice.count) bytes long; at most \(limits.idBytesMax)",
        limit: limits.idBytesMax)
    }
    return slice
  }

  private mutating func stringID(_ token: Token, _ out: Output) -> Snapshot.Slice {
    let count = token.count - 2
    guard token.hasEscapes else {
      return Snapshot.Slice(offset: minifier.watchedOut + 1, count: count)
    }
    let start = used
    used += JSONText.unescape(text + Int(token.offset) + 1, count, into: out + used)
    return Snapshot.Slice(offset: start, count: used - start)
  }

  private func hash(_ slice: Snapshot.Slice, _ out: Output) -> UInt64 {
    hash64(bytes(slice, out), seed: options.idSeed)
  }

  func bytes(_ slice: Snapshot.Slice, _ out: Output) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: out + slice.offset, count: slice.count)
  }

  func bad(_ place: String, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, at: pointer + place, detail)
  }
}

extension Snapshot {
  /// The header of the one section of a flat list.
  static let anonymousHeader: StaticString = #"{"id":""}"#
}

extension JSONKind {
  /// The kind with its article, for errors.
  var noun: String {
    switch self {
    case .null: "null"
    case .false: "false"
    case .true: "true"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension Token {
  fileprivate var idNoun: String {
    kind == .number ? "a number with a fraction or an exponent" : kind.noun
  }
}
