import DeltaEngine
package import SnapshotJSON

/// What a reader of a view sees of a version: a list as any other, from which deltas are computed.
package struct ViewedList: Sendable {
  /// Where the items of a section are in the whole section, as the view shows it.
  package struct Part: Hashable, Sendable {
    /// The position of the first item in the section.
    package var start: Int
    /// The number of items in the section.
    package var total: Int
  }

  /// The sections, with the hashes of what is shown of their items, and with the ids that a reader of this list gives
  /// to them.
  package let sections: [StructureSection]
  /// What is shown of the items; ``Contents/none`` if the contents of the version are not available.
  package let contents: Contents
  /// The texts of the ids; in a flat view it may have the empty id of the only section in addition.
  package let ids: IDTable
  /// The part of the view's list that this is.
  package let run: ViewRun
  /// Where the items of each section are; a section is shown in part if it has fewer than the total.
  package let parts: [Part]
  /// The ids that items were sent with, by the ids of those that are numbered: `id#k`.
  let sentIDs: [UInt32: UInt32]

  /// The text of the id of ``ViewRun/anchor``.
  package var anchor: ArraySlice<UInt8>? { run.anchor.map(ids.text) }
}

extension CompiledView {
  /// A section of a view's list.
  struct Slot: Equatable {
    /// The section in the version; nil for that of a flat view.
    var section: Int?
    /// The positions of its items in the view's list.
    var positions: Range<Int>
    var part: ViewedList.Part
  }

  /// The sections of a part of a view's list.
  func slots(_ run: ViewRun, of viewed: ViewedVersion) -> [Slot] {
    let (version, members) = (viewed.version, viewed.members)
    func slot(_ section: Int?, _ items: Range<Int>, isKept: Bool) -> Slot? {
      let all = members.rank(items.lowerBound)..<members.rank(items.upperBound)
      let positions = run.positions.clamped(to: all)
      if positions.isEmpty, !(run.isWhole && isKept) { return nil }
      let part = ViewedList.Part(start: positions.lowerBound - all.lowerBound, total: all.count)
      return Slot(section: section, positions: positions, part: part)
    }
    if view.sections == .flat {
      return slot(nil, 0..<version.itemCount, isKept: true).map { [$0] } ?? []
    }
    return version.sections.indices.compactMap { section in
      let items = version.items(of: section)
      // What is imposed hides sections too.
      let isHidden = members.allowed.map { $0.rank(items.lowerBound) == $0.rank(items.upperBound) }
      return slot(section, items, isKept: view.sections == .keep && !(isHidden ?? false))
    }
  }

  /// Returns a part of a view's list.
  ///
  /// - Parameters:
  ///   - run: The part.
  ///   - viewed: The version.
  ///   - reader: The JSON reader.
  ///   - meter: The work.
  /// - Throws: `WorkStop`.
  /// - Returns: The list; nil if contents that what is shown, or an id, is made of are not available.
  package func list(
    _ run: ViewRun, of viewed: ViewedVersion, _ reader: JSONReader,
    _ meter: WorkMeter = .unlimited
  ) throws(WorkStop) -> ViewedList? {
    let slots = slots(run, of: viewed)
    let (version, members) = (viewed.version, viewed.members)
    let flats = run.positions.map { members.flatIndex(at: $0) }
    try meter.spend(64 * flats.count)
    let projected = try projected(flats, of: version, reader, meter)
    if selection != nil, projected == nil { return nil }
    let headers = try shownHeaders(of: slots.map(\.section), in: viewed, reader, meter)
    if headers.contains(.missing) { return nil }
    guard let itemIDs = try viewed.ids(ofItems: flats, meter),
      let sectionIDs = try viewed.ids(ofSections: slots.compactMap(\.section), meter)
    else { return nil }
    var ids = version.ids
    let sections = zip(slots, headers).enumerated().map { index, shown in
      let (slot, header) = shown
      let items = slot.positions.map { position in
        let place = position - run.start
        return StructureItem(
          uniqueID: itemIDs.names[place],
          content: projected?.hashes[place] ?? version.item(at: flats[place]).content)
      }
      guard let section = slot.section.map({ version.sections[$0] }) else {
        return StructureSection(
          uniqueID: ids.find([]) ?? ids.intern([]), header: Self.flatHeaderHash, items: items)
      }
      return StructureSection(
        uniqueID: sectionIDs.names[index], header: header?.hash ?? section.header, items: items)
    }
    return ViewedList(
      sections: sections,
      contents: version.contents.viewed(
        slots.map(\.section), flats, projected?.texts, projected?.counts, headers,
        hasMeta: view.shows(.meta)),
      ids: ids, run: run, parts: slots.map(\.part), sentIDs: itemIDs.sent)
  }

  private static let flatHeaderHash = hash128(Contents.flatHeader)
}

extension Contents {
  /// The header of the section of a flat list.
  fileprivate static let flatHeader = Array(#"{"id":""}"#.utf8)

  /// The contents of a list made of some sections and items.
  ///
  /// - Parameters:
  ///   - sections: The sections; nil for that of a flat list.
  ///   - items: The flat indices of the items.
  ///   - texts: The array of what is shown of the items; nil if they are shown whole.
  ///   - counts: The lengths of its elements.
  ///   - headers: The headers of the sections as they are shown.
  ///   - hasMeta: Whether `meta` is shown.
  /// - Returns: The contents; none if these contents are not available.
  fileprivate func viewed(
    _ sections: [Int?], _ items: [Int], _ texts: [UInt8]?, _ counts: [Int]?,
    _ headers: [CompiledView.ShownHeader?], hasMeta: Bool
  ) -> Contents {
    guard sections.allSatisfy({ $0.map(headerPlaces.indices.contains) ?? true }),
      items.allSatisfy(itemPlaces.indices.contains)
    else { return .none }
    let made = headers.map { $0?.otherText }
    guard texts != nil || sections == [nil] || made.contains(where: { $0 != nil }) else {
      return Contents(
        buffer: buffer, tail: tail, itemPlaces: items.map { itemPlaces[$0] },
        headerPlaces: sections.compactMap { $0.map { headerPlaces[$0] } },
        metaPlace: hasMeta ? metaPlace : nil,
        sharesBuffer: sharesBuffer)
    }
    var builder = ContentsBuilder(byteCount: texts?.count ?? 0)
    for (section, made) in zip(sections, made) {
      let stored = section.map { header(ofSection: $0) } ?? Self.flatHeader[...]
      builder.add(header: made.map { $0[...] } ?? stored)
    }
    var start = 1
    for (index, item) in items.enumerated() {
      guard let texts, let counts else {
        builder.add(item: self.item(at: item))
        continue
      }
      builder.add(item: texts[start..<start + counts[index]])
      start += counts[index] + 1
    }
    if hasMeta, let meta { builder.add(meta: meta) }
    return builder.contents
  }
}
