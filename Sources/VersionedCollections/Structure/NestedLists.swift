package import DeltaEngine
package import SnapshotJSON

/// The structures of the lists nested in items, by the item's number.
public struct NestedLists: Hashable, Sendable {
  /// The elements of each list, in order.
  public package(set) var lists: [UInt32: [StructureItem]] = [:]

  /// Creates an empty value.
  public init() {}

  package var isEmpty: Bool { lists.isEmpty }

  /// The approximate size in bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lists.
  package var byteCount: Int {
    lists.values.reduce(0) { $0 + 64 + $1.count * MemoryLayout<StructureItem>.stride }
  }

  /// The elements of an item's list; nil if it has none.
  package subscript(_ item: UInt32) -> [StructureItem]? { lists[item] }

  /// Calls `body` for each id in the lists.
  func forEachID(_ body: (UInt32) -> Void) {
    for list in lists.values {
      for item in list { body(item.uniqueID) }
    }
  }
}

extension IDTable {
  /// Reads the nested lists of a version's items; those of items that are byte-identical in the previous
  /// version are taken from it.
  package mutating func nestedLists(
    of sections: [StructureSection], _ contents: Contents, _ rule: NestedRule?,
    beside base: (structure: NestedStructure, contents: Contents)? = nil,
    _ reader: JSONReader, _ limits: ServiceLimits
  ) -> NestedLists {
    guard let rule else { return NestedLists() }
    var places: [UInt32: Int] = [:]
    var flat = 0
    let knownLists = base?.structure.lists ?? NestedLists()
    for item in (base?.structure.sections ?? []).lazy.flatMap(\.items) {
      if knownLists[item.uniqueID] != nil { places[item.uniqueID] = flat }
      flat += 1
    }
    var lists = NestedLists()
    for (flat, item) in sections.lazy.flatMap(\.items).enumerated() {
      let json = contents.item(at: flat)
      let known = knownLists[item.uniqueID]
      if let known, let place = places[item.uniqueID], base?.contents.item(at: place) == json {
        lists.lists[item.uniqueID] = known
        continue
      }
      guard let list = list(in: json, rule, reader, limits) else { continue }
      // Equal lists share one array, which saves memory and makes comparing them trivial.
      lists.lists[item.uniqueID] = known == list ? known : list
    }
    return lists
  }

  private mutating func list(
    in json: ArraySlice<UInt8>, _ rule: NestedRule, _ reader: JSONReader, _ limits: ServiceLimits
  ) -> [StructureItem]? {
    let item = reader.root(of: Array(json))
    return item?.nestedItems(rule, idBytesMax: limits.idBytesMax)?.map { element in
      StructureItem(uniqueID: intern(element.id[...]), content: element.value.contentHash())
    }
  }
}

/// A reverse patch from a version's nested lists to those of the previous version.
package struct NestedPatch: Sendable {
  /// The patch for each list that differs; nil if the older item had no list.
  private var patches: [UInt32: StructurePatch?] = [:]

  package init(to older: NestedLists, from newer: NestedLists) {
    for (id, list) in older.lists where newer[id] != list {
      patches[id] = .toList(list, from: newer[id] ?? [])
    }
    for id in newer.lists.keys where older[id] == nil { patches.updateValue(nil, forKey: id) }
  }

  /// Returns the older lists.
  package func apply(to newer: NestedLists) -> NestedLists {
    var older = newer
    for (id, patch) in patches {
      older.lists[id] = patch?.apply(to: [.list(newer[id] ?? [])]).first?.items
    }
    return older
  }

  /// The approximate size in bytes.
  package var byteCount: Int { patches.values.reduce(0) { $0 + 16 + ($1?.byteCount ?? 0) } }

  /// Calls `body` for each id in the patch.
  func forEachID(_ body: (UInt32) -> Void) {
    for (id, patch) in patches {
      body(id)
      patch?.forEachID(body)
    }
  }
}

extension NestedPatch {
  /// Calls `body` for each id of an item or an element in the patch.
  ///
  /// The section that represents a list has no id.
  func forEachItemID(_ body: (UInt32) -> Void) {
    for (id, patch) in patches {
      body(id)
      patch?.forEachItemID(body)
    }
  }

  /// Encodes the patch with dense numbers.
  package func encode(into writer: inout StoredBytesWriter, _ numbers: DenseNumbers) {
    writer.number(patches.count)
    for (id, patch) in patches {
      writer.number(numbers[id])
      writer.number(patch == nil ? 0 : 1)
      patch?.encode(into: &writer, numbers)
    }
  }

  /// Decodes a patch; throws `DamagedData` if it is corrupt or does not lead to lists.
  package init(_ reader: inout StoredBytesReader, _ numbers: [UInt32]) throws(DamagedData) {
    for _ in 0..<(try reader.count()) {
      let id = numbers[try reader.index(below: numbers.count)]
      guard try reader.number() == 1 else {
        patches.updateValue(nil, forKey: id)
        continue
      }
      let patch = try StructurePatch(&reader, numbers, newerCount: nil)
      guard patch.sectionCount == 1 else { throw DamagedData("a list that is not one") }
      patches[id] = patch
    }
  }
}

extension StructureSection {
  /// Represents a list as a section without a name.
  package static func list(_ items: [StructureItem]) -> StructureSection {
    StructureSection(uniqueID: 0, header: ContentHash(high: 0, low: 0), items: items)
  }
}

extension StructurePatch {
  /// Creates the reverse patch between two versions of a list.
  static func toList(_ older: [StructureItem], from newer: [StructureItem]) -> StructurePatch {
    let (old, new) = ([StructureSection.list(older)], [StructureSection.list(newer)])
    // An error means a patch that has the whole older list.
    let comparison = try? VersionComparison(
      Delta(from: old, to: new, uniqueness: .promised), from: old, to: new)
    return StructurePatch(to: old, comparison ?? .nothing(inCommonWith: older))
  }
}

// MARK: - Differences

/// A change of the list in an item whose other content is unchanged.
package struct NestedChange {
  /// The item in the target version.
  package var item: ItemPath<TargetSpace>
  package var source: [StructureItem]
  package var target: [StructureItem]
  package var delta: Delta
}

/// The structure of a version including nested lists.
package struct NestedStructure {
  package var sections: [StructureSection]
  package var lists: NestedLists

  package init(sections: [StructureSection], lists: NestedLists) {
    self.sections = sections
    self.lists = lists
  }

  /// The structure with each list hashed into its item's content, for readers that take whole
  /// items.
  package var folded: [StructureSection] {
    if lists.isEmpty { return sections }
    return sections.map { section in
      var section = section
      for index in section.items.indices {
        guard let list = lists[section.items[index].uniqueID] else { continue }
        var input = DigestInput(lineage: "")
        input.append(item: 0, content: section.items[index].content)
        for item in list { input.append(item: UInt64(item.uniqueID), content: item.content) }
        section.items[index].content = input.contentHash()
      }
      return section
    }
  }

  /// The number of changed lists in items whose other content is unchanged.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items; lists that share an array are not
  ///   compared.
  func changedListCount(to target: NestedStructure) -> Int { changedLists(to: target).count }

  /// The changed lists in items whose other content is unchanged.
  ///
  /// - Returns: The changes, in target order.
  /// - Throws: `LawViolation` if the simulator rejects a delta; `DuplicateIdentifier`.
  package func changes(
    to target: NestedStructure,
    judge: (Delta, [StructureSection], [StructureSection]) -> LawViolation?
  ) throws -> [NestedChange] {
    try changedLists(to: target).map { item, old, new in
      let (from, to) = ([StructureSection.list(old)], [StructureSection.list(new)])
      let delta = try Delta(from: from, to: to, uniqueness: .promised)
      if let violation = judge(delta, from, to) { throw violation }
      return NestedChange(item: item, source: old, target: new, delta: delta)
    }
  }

  private func changedLists(
    to target: NestedStructure
  ) -> [(item: ItemPath<TargetSpace>, old: [StructureItem], new: [StructureItem])] {
    guard !lists.isEmpty, !target.lists.isEmpty else { return [] }
    var contents: [UInt32: ContentHash] = [:]
    for item in sections.lazy.flatMap(\.items) { contents[item.uniqueID] = item.content }
    return target.sections.enumerated().flatMap { index, section in
      section.items.enumerated().compactMap { place, item in
        guard contents[item.uniqueID] == item.content, let old = lists[item.uniqueID],
          let new = target.lists[item.uniqueID], old != new
        else { return nil }
        return (ItemPath(section: index, item: place), old, new)
      }
    }
  }
}
