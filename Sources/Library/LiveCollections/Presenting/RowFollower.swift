/// Notes a row of a view, and returns a search for it after a change; `nil` for a row of other content.
package typealias RowFollower =
  @MainActor @Sendable (ScrolledRow) -> (
    @MainActor () -> ScrolledRow?
  )?

/// Finds rows by their ids, and in place of one that is deleted the next one that stays, or else the last before.
///
/// - Parameters:
///   - first: The section of the view that shows the first of the sections.
///   - content: The sections that the view shows.
/// - Returns: A follower of the rows of these sections.
package func rowFollower<Section: UniquelyIdentifiableSection>(
  from first: Int = 0, _ content: @escaping @MainActor @Sendable () -> [Section]
) -> RowFollower {
  { row in
    let before = content()
    let section = row.section - first
    guard before.indices.contains(section), before[section].items.indices.contains(row.item)
    else { return nil }
    return {
      let after = content()
      func found(_ place: (section: Int, item: Int)) -> ScrolledRow {
        ScrolledRow(section: first + place.section, item: place.item, offset: row.offset)
      }
      // Mostly the row is there: then nothing is hashed.
      let top = before[section].items[row.item].uniqueID
      for (index, section) in after.enumerated() {
        if let item = section.items.firstIndex(where: { $0.uniqueID == top }) {
          return found((index, item))
        }
      }
      var places: [Section.DataType.UniqueIDType: (section: Int, item: Int)] = [:]
      for (section, content) in after.enumerated() {
        for (item, content) in content.items.enumerated() {
          places[content.uniqueID] = (section, item)
        }
      }
      let rest = before[section...].lazy.flatMap(\.items).map(\.uniqueID)
      let earlier = before[..<section].lazy.flatMap(\.items).map(\.uniqueID)
      let ids = rest.dropFirst(row.item) + rest.prefix(row.item).reversed() + earlier.reversed()
      return ids.lazy.compactMap { places[$0] }.first.map(found)
    }
  }
}
