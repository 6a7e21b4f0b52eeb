import DeltaEngine
package import SnapshotJSON

/// Looks up the contents of nested lists in the items of a version.
package struct NestedContents {
  package var sections: [StructureSection]
  package var contents: Contents
  package var ids: IDTable
  package var rule: NestedRule

  package init(sections: [StructureSection], contents: Contents, ids: IDTable, rule: NestedRule) {
    self.sections = sections
    self.contents = contents
    self.ids = ids
    self.rule = rule
  }

  /// The input for encoding changes inside items that lead to this version; contents not available here
  /// are empty.
  package func materials(_ changes: [NestedChange], _ reader: JSONReader) -> [NestedEncodingInput] {
    if changes.isEmpty { return [] }
    let first = sections.firstItemIndices
    return changes.map { change in
      let item = sections[change.item.section].items[change.item.item].uniqueID
      let json = contents.item(at: first[change.item.section] + change.item.item)
      return NestedEncodingInput(
        id: ids.text(item), path: rule.path,
        material: DeltaEncodingInput(
          envelope: nil, source: [.list(change.source)],
          target: SnapshotEncodingInput(
            sections: [.list(change.target)], ids: ids,
            contents: elements(change.target, of: json, reader)),
          delta: change.delta, metaChange: .unchanged))
    }
  }

  /// The contents of those elements of a list that the item has.
  private func elements(
    _ list: [StructureItem], of json: ArraySlice<UInt8>, _ reader: JSONReader
  ) -> Contents {
    var held: [StructureItem: JSONValue] = [:]
    for element in reader.root(of: Array(json))?.nestedItems(rule) ?? [] {
      guard let id = ids.find(element.id[...]) else { continue }
      held[StructureItem(uniqueID: id, content: element.value.contentHash())] = element.value
    }
    var builder = ContentsBuilder(byteCount: json.count)
    builder.add(header: [])
    for item in list { builder.add(item: (held[item]?.minified() ?? [])[...]) }
    return builder.contents
  }
}
