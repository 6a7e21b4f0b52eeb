/// A version as views are applied to it: its structure, its contents, and where each item is.
package struct ViewableVersion: Sendable {
  package let sections: [StructureSection]
  /// The texts of its ids; in one comparison all versions have the same table, as some views add an id of their own.
  package var ids: IDTable
  package let contents: Contents
  /// Where the headers of the sections are in the memory of the contents, as far as they are available.
  private let headerPlaces: [Contents.Place]
  /// The flat index of each section's first item, followed by the number of items.
  let firstItems: [Int]
  /// The flat index of each item by the number of its id; -1 for other ids.
  private let places: [Int32]
  /// The values that views ask for.
  let columns: ItemColumns

  /// Creates a version.
  ///
  /// - Parameters:
  ///   - sections: Its structure.
  ///   - ids: The texts of its ids.
  ///   - contents: Its contents; items whose contents are not available are empty.
  ///   - headerPlaces: Where headers are in the memory of the contents, if these are of items alone; those that are
  ///     not available are empty.
  /// - Complexity: O(*n*), where *n* is the number of items.
  package init(
    sections: [StructureSection], ids: IDTable, contents: Contents,
    headerPlaces: [Contents.Place]? = nil
  ) {
    self.sections = sections
    self.ids = ids
    self.contents = contents
    self.headerPlaces = headerPlaces ?? contents.headerPlaces
    columns = ItemColumns(of: contents)
    let first = sections.firstItemIndices
    firstItems = first + [sections.itemCount]
    let idMax = sections.lazy.flatMap(\.items).map(\.uniqueID).max()
    var places = [Int32](repeating: -1, count: idMax.map { Int($0) + 1 } ?? 0)
    for (index, section) in sections.enumerated() {
      for (item, element) in section.items.enumerated() {
        places[Int(element.uniqueID)] = Int32(first[index] + item)
      }
    }
    self.places = places
  }

  /// Creates a version that has the ids of another one, at the same places.
  init(
    sections: [StructureSection], ids: IDTable, contents: Contents,
    headerPlaces: [Contents.Place]? = nil, placedAs other: ViewableVersion
  ) {
    self.sections = sections
    self.ids = ids
    self.contents = contents
    self.headerPlaces = headerPlaces ?? contents.headerPlaces
    columns = ItemColumns(of: contents)
    firstItems = other.firstItems
    places = other.places
  }

  package var itemCount: Int { firstItems[sections.count] }

  /// The approximate size in bytes, besides that of the structure and the contents.
  package var byteCount: Int {
    places.count * 4 + firstItems.count * 8 + headerPlaces.count * 8 + columns.byteCount
  }

  /// The flat index of the item with an id; nil if there is none.
  package func flatIndex(of id: UInt32) -> Int? {
    guard id < places.count, places[Int(id)] >= 0 else { return nil }
    return Int(places[Int(id)])
  }

  func section(of flat: Int) -> Int {
    var range = 0..<sections.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = firstItems[middle] <= flat ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  func items(of section: Int) -> Range<Int> { firstItems[section]..<firstItems[section + 1] }

  func item(at flat: Int) -> StructureItem {
    let section = section(of: flat)
    return sections[section].items[flat - firstItems[section]]
  }

  /// The text of the item at a flat index; nil if it is not available.
  func json(_ flat: Int) -> ArraySlice<UInt8>? {
    guard flat < contents.itemCount else { return nil }
    let json = contents.item(at: flat)
    return json.isEmpty ? nil : json
  }

  /// The text of a section's header; nil if it is not available.
  func header(_ section: Int) -> ArraySlice<UInt8>? {
    guard section < headerPlaces.count, headerPlaces[section].count > 0 else { return nil }
    return contents.bytes(headerPlaces[section])
  }
}
