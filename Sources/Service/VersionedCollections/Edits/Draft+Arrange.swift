import DeltaEngine
import SnapshotJSON

extension Draft {
  /// Arranges the items by the settings: makes sections from the items' contents, sorts the items
  /// within sections and removes empty sections.
  ///
  /// - Throws: `badContent` if a section made from an item is invalid.
  mutating func arrange(
    by settings: CollectionSettings, _ tools: EditTools
  ) throws(EditFault) {
    if let rule = settings.sectionRule { try makeSections(by: rule, tools) }
    if !settings.sortRules.isEmpty { try sort(by: settings.sortRules, tools) }
    if settings.dropsEmptySections { sections.removeAll(where: \.items.isEmpty) }
  }

  /// Hashes all contents by other options, overriding each new hash with the previous one.
  mutating func rehash(_ options: SnapshotOptions, _ tools: EditTools) throws(EditFault) {
    var tools = tools
    tools.options = options
    for section in sections {
      let items = section.items.map { json($0) }.joined(separator: [UInt8(ascii: ",")])
      // A section with an empty id represents a flat list, which snapshots contain without a
      // section.
      let isAnonymous = ids.text(section.id).isEmpty
      let head =
        isAnonymous
        ? Array("{".utf8) : Array("{\"sections\":[".utf8) + json(section).dropLast() + [0x2C]
      let tail = isAnonymous ? "]}" : "]}]}"
      let snapshot = try tools.snapshot(
        head + Array("\"items\":[".utf8) + Array(items) + Array(tail.utf8))
      for (item, read) in zip(section.items, snapshot.items) {
        overrides.keep(item.id, content: read.content, shown: item.content)
      }
      if let read = snapshot.sections.first {
        overrides.keep(header: section.id, content: read.content, shown: section.header)
      }
    }
  }

  private mutating func makeSections(
    by rule: SectionRule, _ tools: EditTools
  ) throws(EditFault) {
    var made: [Section] = []
    var places: [UInt32: Int] = [:]
    var headerByteCount = 0
    for item in sections.flatMap(\.items) {
      let content = try tools.document(Array(json(item))).root
      let id = try sectionID(of: item, content, rule, tools.limits)
      let number = ids.intern(id[...])
      if let place = places[number] {
        made[place].items.append(item)
        continue
      }
      let header = try header(id: id, of: item, content, rule, tools.limits)
      headerByteCount += header.count
      guard headerByteCount <= tools.limits.collectionBytesMax else {
        throw .limitPassed(.contents(tools.limits))
      }
      places[number] = made.count
      made.append(
        Section(
          id: number, header: try tools.document(header).root.contentHash(),
          source: add(header[...]), items: [item]))
    }
    sections = made
  }

  /// The id of an item's section; throws if it is longer than an id may be.
  private func sectionID(
    of item: Item, _ content: JSONValue, _ rule: SectionRule, _ limits: ServiceLimits
  ) throws(EditFault) -> [UInt8] {
    guard let id = rule.sectionID(of: content) else {
      throw .badContent(
        SnapshotError(
          .badSnapshot, "",
          "sectionBy finds no text in item \(quoted(ids.text(item.id))): give it one, or name the "
            + "section of such items by sectionBy.other"))
    }
    guard id.count <= limits.idBytesMax else {
      throw .badContent(
        SnapshotError(
          .idTooLong, "",
          "sectionBy makes an id of \(id.count) bytes of item \(quoted(ids.text(item.id)));"
            + " at most \(limits.idBytesMax)", limit: limits.idBytesMax))
    }
    return id
  }

  /// The header of a section, made from its first item; throws if it is larger than an item may be.
  private func header(
    id: [UInt8], of item: Item, _ content: JSONValue, _ rule: SectionRule, _ limits: ServiceLimits
  ) throws(EditFault) -> [UInt8] {
    let byteCount = rule.headerByteCount(id: id, of: content)
    guard byteCount <= limits.itemBytesMax else {
      throw .badContent(
        SnapshotError(
          .itemTooLarge, "",
          "headerFrom makes a header of \(byteCount) bytes of item \(quoted(ids.text(item.id)));"
            + " at most \(limits.itemBytesMax)", limit: limits.itemBytesMax))
    }
    return rule.header(id: id, of: content)
  }

  private mutating func sort(by rules: [SortRule], _ tools: EditTools) throws(EditFault) {
    for index in sections.indices {
      var keyed: [(key: SortKey, item: Item)] = []
      keyed.reserveCapacity(sections[index].items.count)
      for item in sections[index].items {
        let content = try tools.document(Array(json(item))).root
        keyed.append((SortKey(content, id: ids.text(item.id), rules: rules), item))
      }
      keyed.sort { $0.key < $1.key }
      sections[index].items = keyed.map(\.item)
    }
  }
}

extension SectionRule {
  /// The id of an item's section; nil if the item has none and there is no default.
  fileprivate func sectionID(of item: JSONValue) -> [UInt8]? {
    let parts = paths.compactMap { item.value(at: $0)?.sectionID }
    guard parts.count == paths.count, parts != [[]] else { return other.map { Array($0.utf8) } }
    if parts.count == 1 { return parts[0] }
    let pointer = JSONPointer(tokens: parts.map { String(decoding: $0, as: UTF8.self) })
    return Array(pointer.description.utf8.dropFirst())
  }

  /// The header of a section, made from its first item.
  func header(id: [UInt8], of item: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("id")
    writer.string(utf8: id)
    for (name, value) in headerMembers(of: item) {
      writer.key(name)
      writer.value(value)
    }
    writer.endObject()
    return writer.bytes
  }

  /// An upper bound of a header's size in bytes.
  fileprivate func headerByteCount(id: [UInt8], of item: JSONValue) -> Int {
    headerMembers(of: item).reduce(id.count + 8) {
      $0 + $1.name.utf8.count + $1.value.range.count + 4
    }
  }

  private func headerMembers(of item: JSONValue) -> [(name: String, value: JSONValue)] {
    headerFrom.compactMap { path in
      guard let name = path.tokens.last.map({ String(decoding: $0, as: UTF8.self) }),
        name != "id", name != "items", let value = item.value(at: path)
      else { return nil }
      return (name, value)
    }
  }
}

extension JSONValue {
  /// A string, number or Boolean as the text of an id; nil for other values.
  fileprivate var sectionID: [UInt8]? {
    switch kind {
    case .string: stringBytes
    case .number, .true, .false: Array(rawBytes)
    default: nil
    }
  }
}
