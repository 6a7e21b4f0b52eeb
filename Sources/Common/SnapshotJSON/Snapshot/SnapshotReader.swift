import DeltaEngine

/// Reads a snapshot in one walk over the tape, copying contents, hashing them and finding ids.
struct SnapshotReader: ~Copyable {
  let value: JSONValue
  let view: DocumentView
  let limits: SnapshotLimits
  let options: SnapshotOptions
  let pointer: String
  /// The objects that replace elided items.
  let markers: [Snapshot.ElisionMarker]
  private(set) var itemsPath: JSONPointer
  private(set) var sectionsPath: JSONPointer
  private var canonicalizer: Canonicalizer
  private var minifier: Minifier

  var layout = SnapshotLayout(list: 0, isFlat: true)
  var sections: [Snapshot.Section] = []
  var items: [Snapshot.Item] = []
  var gaps: [Snapshot.Gap] = []
  /// The expected number of sections and items.
  var elementCount = 0
  /// Values excluded from a content hash; reused to avoid allocations.
  private var skipped: [UInt32] = []

  init(
    value: JSONValue, view: DocumentView,
    limits: SnapshotLimits, options: SnapshotOptions, pointer: String,
    markers: [Snapshot.ElisionMarker]
  ) {
    self.value = value
    self.view = view
    self.limits = limits
    self.options = options
    self.pointer = pointer
    self.markers = markers
    itemsPath = options.itemsPath
    sectionsPath = options.sectionsPath
    canonicalizer = Canonicalizer(view)
    minifier = Minifier(view)
  }

  mutating func read() -> Result<Snapshot, SnapshotError> {
    do throws(SnapshotError) {
      return .success(try readAll())
    } catch {
      return .failure(error)
    }
  }

  private mutating func readAll() throws(SnapshotError) -> Snapshot {
    if isServiceDocument {
      itemsPath = .items
      sectionsPath = .sections
    }
    layout = try findLayout()
    try count()
    var fault: SnapshotError?
    var meta: Snapshot.Slice?
    var settings: Snapshot.Slice?
    var version: Snapshot.Slice?
    let buffer = [UInt8](capacity: bufferSize) { out in
      do throws(SnapshotError) {
        try fill(&out)
        meta = layout.meta.map { copy($0, &out) }
        settings = layout.settings.map { copy($0, &out) }
        version = layout.version.map { copy($0, &out) }
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return Snapshot(
      buffer: buffer, sections: sections, items: items, gaps: gaps, meta: meta,
      settings: settings, version: version, isServiceDocument: isServiceDocument,
      isFlat: layout.isFlat, idSeed: options.idSeed)
  }

  /// An upper bound of the buffer's size.
  ///
  /// Contents are disjoint parts of the text and copied once. In addition, there may be unescaped
  /// ids, ids named by occurrence, the header of a flat list, and, if the list may be inside `meta`
  /// or `settings`, a second copy of these.
  private var bufferSize: Int {
    let token = value.token
    let isOccurrence = options.identity == .occurrence
    let copies =
      1 + (token.hasEscapes ? 1 : 0) + (isOccurrence ? 1 : 0)
      + (options.hasProtocolEnvelope ? 0 : 1)
    let suffixes = isOccurrence ? elementCount * Snapshot.occurrenceSuffixMax : 0
    return Snapshot.anonymousHeader.utf8CodeUnitCount + copies * token.count + suffixes
  }

  private mutating func fill(_ out: inout ByteOutput) throws(SnapshotError) {
    if layout.isFlat {
      try readFlat(&out)
    } else {
      var section = layout.list + 1
      while section < view[layout.list].next {
        try readSection(section, &out)
        section = view[section].next
      }
    }
    guard gaps.count == markers.count else {
      throw bad("", "an omission stands where there is no item")
    }
    if options.identity == .occurrence { try nameOccurrences(&out) }
    try refuseDuplicates(out)
  }

  private mutating func copy(_ index: UInt32, _ out: inout ByteOutput) -> Snapshot.Slice {
    let start = out.count
    minifier.copy(index, to: &out)
    return Snapshot.Slice(offset: start, count: out.count - start)
  }

  // MARK: Sections

  private mutating func readFlat(_ out: inout ByteOutput) throws(SnapshotError) {
    let header = Snapshot.anonymousHeader
    let slice = Snapshot.Slice(offset: out.count, count: header.utf8CodeUnitCount)
    out.append(header)
    // The id is between the quotes at the end of {"id":""}.
    let id = Snapshot.Slice(offset: slice.offset + slice.count - 2, count: 0)
    let content = out.withBytes(slice.range) { hash128($0) }
    try readItems(layout.list, &out)
    sections.append(
      Snapshot.Section(
        id: id, idHash: hash(id, out), header: slice, content: content, items: 0..<items.count,
        gaps: 0..<gaps.count))
  }

  private mutating func readSection(_ index: UInt32, _ out: inout ByteOutput) throws(SnapshotError)
  {
    let parts = try findParts(index)
    minifier.watched = parts.id
    minifier.skipped = parts.items
    let header = copy(index, &out)
    minifier.skipped = .max
    let id = try id(parts.id, &out)
    let content = content(index, without: parts.items)
    let itemsBefore = items.count
    let gapsBefore = gaps.count
    try readItems(parts.items, &out)
    sections.append(
      Snapshot.Section(
        id: id, idHash: hash(id, out), header: header, content: content,
        items: itemsBefore..<items.count, gaps: gapsBefore..<gaps.count))
  }

  // MARK: Items

  private mutating func readItems(_ list: UInt32, _ out: inout ByteOutput) throws(SnapshotError) {
    let end = view[list].next
    var item = list + 1
    while item < end {
      if isOmission(item) {
        gaps.append(Snapshot.Gap(item: items.count))
      } else {
        try readItem(item, &out)
      }
      item = view[item].next
    }
  }

  /// Whether a token is the next omission.
  private func isOmission(_ token: UInt32) -> Bool {
    gaps.count < markers.count && markers[gaps.count].offset == Int(view[token].offset)
  }

  private mutating func readItem(_ item: UInt32, _ out: inout ByteOutput) throws(SnapshotError) {
    let kind = view[item].kind
    guard kind == .object else {
      throw bad(item, "an item is an object, not \(kind.noun)")
    }
    let idIndex = try idValue(of: item)
    minifier.watched = idIndex
    let json = copy(item, &out)
    guard json.count <= limits.itemBytesMax else {
      throw SnapshotError(
        .itemTooLarge, at: place(item),
        "the item is \(json.count) bytes long; at most \(limits.itemBytesMax)",
        limit: limits.itemBytesMax)
    }
    let id = try id(idIndex, &out)
    items.append(
      Snapshot.Item(id: id, idHash: hash(id, out), json: json, content: content(item)))
    canonicalizer.watch(idIndex)
  }

  /// The value of an item's id, which mostly is where the last item has it.
  private mutating func idValue(of item: UInt32) throws(SnapshotError) -> UInt32 {
    if let value = canonicalizer.watchedValue(of: item) { return value }
    return try findOne(options.idPath, item, "item")
  }

  /// The content hash of an item or section, without its list and without what equality ignores.
  private mutating func content(_ index: UInt32, without items: UInt32? = nil) -> ContentHash {
    guard items != nil || !options.equalityIgnored.isEmpty else { return canonicalizer.hash(index) }
    skipped.removeAll(keepingCapacity: true)
    if let items { skipped.append(items) }
    view.collect(options.equalityIgnored, from: index, into: &skipped)
    return canonicalizer.hash(index, skipping: skipped)
  }

  // MARK: Ids

  /// The slice of an id that was just copied, with an unescaped copy if it has escapes.
  private mutating func id(
    _ index: UInt32, _ out: inout ByteOutput
  ) throws(SnapshotError) -> Snapshot.Slice {
    let token = view[index]
    let id: Snapshot.Slice
    if token.kind == .string {
      id = stringID(token, &out)
    } else if token.kind == .number, token.info & Token.fractional == 0 {
      id = Snapshot.Slice(offset: minifier.watchedOut, count: token.count)
    } else {
      throw bad(index, "an id is a string or an integer, not \(token.idNoun)")
    }
    guard id.count > 0 else { throw bad(index, "the id is empty") }
    guard id.count <= limits.idBytesMax else {
      throw SnapshotError(
        .idTooLong, at: place(index),
        "the id is \(id.count) bytes long; at most \(limits.idBytesMax)", limit: limits.idBytesMax)
    }
    return id
  }

  private mutating func stringID(_ token: Token, _ out: inout ByteOutput) -> Snapshot.Slice {
    let count = token.count - 2
    guard token.hasEscapes else {
      return Snapshot.Slice(offset: minifier.watchedOut + 1, count: count)
    }
    let start = out.count
    view.unescape(token) { out.append($0) }
    return Snapshot.Slice(offset: start, count: out.count - start)
  }

  func hash(_ slice: Snapshot.Slice, _ out: borrowing ByteOutput) -> UInt64 {
    out.withBytes(slice.range) { hash64($0, seed: options.idSeed) }
  }

  func bad(_ place: String, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, at: pointer + place, detail)
  }

  func bad(_ index: UInt32, _ detail: String) -> SnapshotError {
    SnapshotError(.badSnapshot, at: place(index), detail)
  }

  /// The pointer to a value in the snapshot.
  func place(_ index: UInt32) -> String { pointer + value.pointer(to: Int(index)) }
}

extension Snapshot {
  /// The header of the anonymous section of a flat list.
  static let anonymousHeader: StaticString = #"{"id":""}"#
}

extension Token {
  fileprivate var idNoun: String {
    kind == .number ? "a number with a fraction or an exponent" : kind.noun
  }
}
