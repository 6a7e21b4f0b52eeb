import SnapshotJSON

extension Draft {
  /// Renames the k-th occurrence of an id, in display order, to `id#k`.
  ///
  /// Only the order distinguishes occurrences, so all are renamed after each change.
  ///
  /// - Throws: `bad` if a new name is the id of another item or section.
  mutating func nameOccurrences(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(EditFault) {
    guard settings.identity == .occurrence else { return }
    var sectionCounts: [[UInt8]: Int] = [:]
    for index in sections.indices {
      let (id, json) = (sections[index].id, json(sections[index]))
      sections[index].id = try name(id, json, settings, tools, &sectionCounts)
    }
    var itemCounts: [[UInt8]: Int] = [:]
    for section in sections.indices {
      for index in sections[section].items.indices {
        let item = sections[section].items[index]
        sections[section].items[index].id = try name(
          item.id, json(item), settings, tools, &itemCounts)
      }
    }
    try checkNames(sections.map(\.id))
    try checkNames(sections.flatMap { $0.items.map(\.id) })
  }

  /// Whether an id occurs more than once.
  func hasOccurrences(_ settings: CollectionSettings, _ tools: EditTools) -> Bool {
    for section in sections {
      for item in section.items {
        // An error counts as an occurrence, because it is not known to be none.
        let sent = try? sentID(item.id, json(item), settings, tools)
        if sent != Array(ids.text(item.id)) { return true }
      }
      // An error counts as one here, too.
      let sent = try? sentID(section.id, json(section), settings, tools)
      if sent != Array(ids.text(section.id)) { return true }
    }
    return false
  }

  private mutating func name(
    _ id: UInt32, _ json: ArraySlice<UInt8>, _ settings: CollectionSettings, _ tools: EditTools,
    _ counts: inout [[UInt8]: Int]
  ) throws(EditFault) -> UInt32 {
    let sent = try sentID(id, json, settings, tools)
    let count = (counts[sent] ?? 0) + 1
    counts[sent] = count
    if count == 1 { return ids.intern(sent[...]) }
    let name = sent + Array("#\(count)".utf8)
    let limit = tools.limits.idBytesMax
    guard name.count <= limit else {
      throw .badContent(
        SnapshotError(
          .idTooLong, "",
          "occurrence \(count) of id \(quoted(sent[...])) has an id of \(name.count) bytes;"
            + " at most \(limit)", limit: limit))
    }
    return ids.intern(name[...])
  }

  /// The id as sent; only ids that look like those of occurrences may differ from it.
  private func sentID(
    _ id: UInt32, _ json: ArraySlice<UInt8>, _ settings: CollectionSettings, _ tools: EditTools
  ) throws(EditFault) -> [UInt8] {
    let text = ids.text(id)
    guard text.suffix(Snapshot.occurrenceSuffixMax).contains(UInt8(ascii: "#")) else {
      return Array(text)
    }
    let content = try tools.document(Array(json)).root
    return content.value(at: settings.idPath)?.idBytes ?? Array(text)
  }

  private func checkNames(_ names: [UInt32]) throws(EditFault) {
    var seen: Set<UInt32> = []
    for name in names where !seen.insert(name).inserted {
      let text = String(decoding: ids.text(name), as: UTF8.self)
      throw .bad("", "\"\(text)\" is the id of one and the name of an occurrence of another")
    }
  }
}
