import DeltaEngine
import SnapshotJSON

/// A collection decoded from a store: the head with its contents, and older versions.
///
/// A store keeps a collection as an image, which is complete, and the changes since. It combines
/// them with `init(lineage:image:)` and `apply(change:)`, and writes a new image when the changes
/// are as large as the image.
public struct StoredCollection: Sendable {
  /// The collection's lineage.
  public let lineage: Lineage
  /// The settings; they are stored separately from images and changes.
  public var settings = CollectionSettings()
  /// The number of changes in its lineage, of content or settings; 0 in a store that does not count.
  public var revision = 0
  package var overrides = HashOverrides()
  package var ids: IDTable
  package var history: History
  package var sections: [StructureSection]
  package var items: [ArraySlice<UInt8>]
  var headers: [ArraySlice<UInt8>]
  package var meta: ArraySlice<UInt8>?
  /// The difference to the contents of an older version; only set between decoding and encoding
  /// images.
  var older: OlderContents?

  /// The head's version.
  public var version: VersionToken {
    VersionToken(
      lineage: lineage.name, seq: history.head.seq, digest: history.head.digest.text)
  }

  /// The bytes of the head's contents, as limits count them.
  public var contentByteCount: Int {
    items.reduce(0) { $0 + $1.count } + headers.reduce(0) { $0 + $1.count } + (meta?.count ?? 0)
  }

  /// When the head was committed, in seconds since 1970.
  public var date: Int64 { history.head.date }

  /// The settings in the form in which they are stored.
  public var storedSettings: StoredSettings { StoredSettings(settings, overrides, ids) }

  /// The number of items in the head.
  public var itemCount: Int { items.count }

  /// All versions, ascending.
  public var versions: [VersionToken] {
    history.records.map {
      VersionToken(lineage: lineage.name, seq: $0.seq, digest: $0.digest.text)
    }
  }

  package var contents: Contents {
    var builder = ContentsBuilder(byteCount: items.reduce(0) { $0 + $1.count })
    for header in headers { builder.add(header: header) }
    for item in items { builder.add(item: item) }
    if let meta { builder.add(meta: meta) }
    return builder.contents
  }

  /// Clamps the settings to the limits.
  public mutating func clampSettings(to limits: SettingsLimits) {
    settings = settings.clamped(to: limits)
  }

  /// Removes versions that exceed the retention.
  public mutating func trim(_ retention: Retention, now: Int64) {
    history.trim(settings.retention ?? retention, contentBytes: contentBytes, now: now)
  }

  private var contentBytes: Int { items.reduce(0) { $0 + $1.count } }

  /// The most bytes that the contents of older versions may take.
  public func olderBytesMax(_ retention: Retention) -> Int {
    max((settings.retention ?? retention).bytesMin, contentBytes)
  }

  /// Verifies the stored digest.
  ///
  /// - Throws: `DamagedData` if it does not match the content.
  public func checkDigest() throws(DamagedData) {
    let digest = ids.digest(of: sections, meta: history.head.meta, lineage: lineage.name)
    guard digest == history.head.digest else {
      throw DamagedData("the digest of version \(version) is not that of its content")
    }
  }

  /// Applies stored settings.
  ///
  /// - Throws: `DamagedData` if they are corrupt.
  public mutating func apply(_ stored: StoredSettings) throws(DamagedData) {
    if let bytes = stored.overrides { overrides = try HashOverrides(bytes, &ids) }
    guard let text = stored.settings else { return }
    do {
      settings = try CollectionSettings(stored: JSONReader().readStrictly(text))
    } catch {
      throw DamagedData("the settings are \(error)")
    }
  }

  // MARK: Images

  package init(_ version: StoredVersion) {
    lineage = version.lineage
    ids = version.ids
    history = History(head: version.record)
    sections = version.sections
    let contents = version.contents
    items = (0..<contents.itemCount).map { contents.item(at: $0) }
    headers = version.sections.indices.map { contents.header(ofSection: $0) }
    meta = contents.meta
  }

  /// Decodes an image.
  ///
  /// - Throws: `DamagedData` if it is corrupt.
  public init(lineage: Lineage, image: [UInt8]) throws(DamagedData) {
    let hasOlder = image.first != StoredKind.imageWithoutOlder
    var reader = try StoredBytesReader(
      image, kind: hasOlder ? StoredKind.image : StoredKind.imageWithoutOlder)
    self.lineage = lineage
    let head = try reader.record()
    ids = IDTable(seed: IDTable.processSeed)
    let numbers = try Self.numbers(&reader, &ids)
    var counts: [Int] = []
    headers = []
    var skeleton: [(UInt32, ContentHash)] = []
    for _ in 0..<(try reader.count()) {
      skeleton.append((numbers[try reader.index(below: numbers.count)], try reader.hash()))
      headers.append(try reader.text())
      counts.append(try reader.count())
    }
    items = []
    sections = []
    for (count, (id, header)) in zip(counts, skeleton) {
      var list: [StructureItem] = []
      list.reserveCapacity(count)
      for _ in 0..<count {
        let id = numbers[try reader.index(below: numbers.count)]
        list.append(StructureItem(uniqueID: id, content: try reader.hash()))
        items.append(try reader.text())
      }
      sections.append(StructureSection(uniqueID: id, header: header, items: list))
    }
    meta = try reader.number() == 0 ? nil : try reader.text()
    _ = try reader.number()  // Whether its digest was of other settings.
    history = try History(head: head, &reader, numbers, newest: sections)
    if hasOlder { older = try OlderContents(&reader) }
    try reader.finish()
  }

  private static func numbers(
    _ reader: inout StoredBytesReader, _ ids: inout IDTable
  ) throws(DamagedData) -> [UInt32] {
    var numbers: [UInt32] = []
    for _ in 0..<(try reader.count()) { numbers.append(ids.intern(try reader.text())) }
    return numbers
  }

  /// Encodes the image.
  public func image() -> [UInt8] {
    let numbers = numbers()
    var writer = StoredBytesWriter(kind: StoredKind.image, capacity: imageBytes(numbers))
    encode(into: &writer, numbers)
    return writer.finish()
  }

  /// Encodes the image in pieces, so that it is never in memory as a whole.
  ///
  /// - Parameters:
  ///   - pieceBytes: The size of all pieces but the last in bytes; at least 1.
  ///   - take: Called with each piece in order, and whether it is the last.
  public func writeImage(
    pieceBytes: Int, _ take: @escaping (_ piece: [UInt8], _ isLast: Bool) -> Void
  ) {
    let numbers = numbers()
    let sink = StoredBytesSink(pieceBytes: pieceBytes, take)
    var writer = StoredBytesWriter(
      kind: StoredKind.image, capacity: min(imageBytes(numbers), pieceBytes), sink: sink)
    encode(into: &writer, numbers)
    writer.finish()
  }

  /// Dense numbers for all IDs in the image.
  private func numbers() -> DenseNumbers {
    var numbers = DenseNumbers()
    for section in sections {
      numbers.add(section.uniqueID)
      for item in section.items { numbers.add(item.uniqueID) }
    }
    history.forEachID { numbers.add($0) }
    return numbers
  }

  /// An estimate of the image's size in bytes, rather too high.
  private func imageBytes(_ numbers: DenseNumbers) -> Int {
    var size = 256 + history.patchBytes + (meta?.count ?? 0)
    for id in numbers.ids { size += ids.text(id).count + 2 }
    for header in headers { size += header.count + 32 }
    for item in items { size += item.count + 24 }
    if let older { size += older.byteCount + 8 * (older.items.count + older.headers.count) }
    return size
  }

  private func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
    writer.record(history.head)
    writer.number(numbers.ids.count)
    for id in numbers.ids { writer.text(ids.text(id)) }
    writer.number(sections.count)
    for (section, header) in zip(sections, headers) {
      writer.number(numbers[section.uniqueID])
      writer.hash(section.header)
      writer.text(header)
      writer.number(section.items.count)
    }
    var flat = 0
    for section in sections {
      for item in section.items {
        writer.number(numbers[item.uniqueID])
        writer.hash(item.content)
        writer.text(items[flat])
        flat += 1
      }
    }
    writer.number(meta == nil ? 0 : 1)
    if let meta { writer.text(meta) }
    writer.number(0)
    history.encode(into: &writer, numbers)
    writer.write(older)
  }

  // MARK: Changes

  /// Applies the change to the next version.
  ///
  /// - Parameter change: A change encoded by `StoredVersion.encodedChange`.
  /// - Throws: `DamagedData` if it is corrupt or does not follow this version.
  public mutating func apply(change: [UInt8]) throws(DamagedData) {
    var reader = try StoredBytesReader(change, kind: StoredKind.change)
    let record = try reader.record()
    guard record.seq == history.head.seq + 1 else {
      throw DamagedData("version \(record.seq) follows \(history.head.seq)")
    }
    switch try reader.number() {
    case 0: meta = nil
    case 1: break
    default: meta = try reader.text()
    }
    let before = sections
    var next: [StructureSection] = []
    var places: [Int32] = []
    var counts: [Int] = []
    var nextHeaders: [ArraySlice<UInt8>] = []
    for _ in 0..<(try reader.count()) {
      let place = try reader.index(below: before.count + 1)
      places.append(Int32(place) - 1)
      if place == 0 {
        let id = ids.intern(try reader.text())
        next.append(StructureSection(uniqueID: id, header: try reader.hash(), items: []))
        nextHeaders.append(try reader.text())
      } else {
        let section = before[place - 1]
        next.append(
          StructureSection(uniqueID: section.uniqueID, header: section.header, items: []))
        nextHeaders.append(headers[place - 1])
      }
      counts.append(try reader.number())
    }
    let base = before.flatItems
    let (flatItems, flatContents, runs) = try applyRuns(&reader, base)
    // The ids in patches of lists inside items, and the patches.
    try reader.noLists()
    try reader.noLists()
    try reader.finish()
    guard counts.allSatisfy({ 0...flatItems.count ~= $0 }),
      counts.reduce(0, +) == flatItems.count
    else { throw DamagedData("version \(record.seq) has other items than its sections") }
    var first = 0
    for (index, count) in counts.enumerated() {
      next[index].items = Array(flatItems[first..<first + count])
      first += count
    }
    sections = next
    headers = nextHeaders
    items = flatContents
    older = nil
    do {
      let comparison = try VersionComparison(sections: places, runs: runs, source: base)
      history.append(record, back: StructurePatch(to: before, comparison))
    } catch {
      throw DamagedData(error.reason)
    }
  }

  /// Decodes the items after a change, and the runs of those that did not change.
  private mutating func applyRuns(
    _ reader: inout StoredBytesReader, _ base: [StructureItem]
  ) throws(DamagedData) -> ([StructureItem], [ArraySlice<UInt8>], [VersionComparison.Run]) {
    var runs: [(start: Int, count: Int)] = []
    for _ in 0..<(try reader.count()) {
      runs.append((try reader.index(below: base.count + 1) - 1, try reader.number()))
    }
    var structure: [StructureItem] = []
    var contents: [ArraySlice<UInt8>] = []
    var kept: [VersionComparison.Run] = []
    var place = 0
    for run in runs {
      if run.start >= 0 {
        guard 0...(base.count - run.start) ~= run.count else {
          throw DamagedData("\(run.count) items from \(run.start) of \(base.count)")
        }
        kept.add(run.start, structure.count, run.count)
        place = run.start + run.count
        structure.append(contentsOf: base[run.start..<place])
        contents.append(contentsOf: items[run.start..<place])
        continue
      }
      guard run.count >= 0 else { throw DamagedData("\(run.count) items") }
      for _ in 0..<run.count {
        let id = ids.intern(try reader.text())
        let item = StructureItem(uniqueID: id, content: try reader.hash())
        // The content is equal, but its bytes differ.
        if place < base.count, base[place] == item { kept.add(place, structure.count, 1) }
        place += 1
        structure.append(item)
        contents.append(try reader.text())
      }
    }
    return (structure, contents, kept)
  }
}
