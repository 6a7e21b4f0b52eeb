import DeltaEngine
import LiveCollections

/// Numbers the ids and contents of a list's versions, alike for all of them.
///
/// A content keeps its number as long as it is equal to the one seen before.
final class StructureNumbering<Element: UniquelyIdentifiable & Sendable>: Sendable
where Element.UniqueIDType: Sendable {
  private struct Known: Sendable {
    var number: Int
    var element: Element
    var version: UInt64
  }

  private let known = Locked<[Element.UniqueIDType: Known]>([:])
  private let comparesContents: Bool

  init(comparesContents: Bool) { self.comparesContents = comparesContents }

  /// The number of an element and of its content.
  func callAsFunction(_ element: Element) -> ListStructure.Item {
    known.withLock { known in
      var entry =
        known[element.uniqueID] ?? Known(number: known.count, element: element, version: 0)
      if comparesContents, !element.hasSameContent(as: entry.element) {
        entry.version += 1
        entry.element = element
      }
      known[element.uniqueID] = entry
      return ListStructure.Item(
        id: entry.number, content: ContentHash(high: 0, low: entry.version))
    }
  }
}
