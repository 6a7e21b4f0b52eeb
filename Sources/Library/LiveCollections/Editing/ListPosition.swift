/// A place in a list: for items in a flat list, or for sections among the sections.
public enum ListPosition<ID: Hashable>: Hashable {
  /// Before all others.
  case first
  /// After all others.
  case last
  /// At an index; of a moved element, the index that it has afterwards.
  case at(Int)
  /// Right before another one.
  case before(ID)
  /// Right after another one.
  case after(ID)
}

extension ListPosition: Sendable where ID: Sendable {}

extension ListPosition {
  /// The index of the position: one of `0...ids.count`.
  func index(
    among ids: some RandomAccessCollection<ID>, _ unknown: (String) -> EditError
  ) throws(EditError) -> Int {
    switch self {
    case .first: return 0
    case .last: return ids.count
    case .at(let index):
      guard (0...ids.count).contains(index) else {
        throw .indexOutOfRange(index, max: ids.count)
      }
      return index
    case .before(let id), .after(let id):
      guard let index = ids.firstIndex(of: id) else { throw unknown("\(id)") }
      let offset = ids.distance(from: ids.startIndex, to: index)
      if case .after = self { return offset + 1 }
      return offset
    }
  }
}

/// A place for items in a list with sections.
public enum ItemPosition<SectionID: Hashable, ItemID: Hashable>: Hashable {
  /// Before all others of a section.
  case first(in: SectionID)
  /// After all others of a section.
  case last(in: SectionID)
  /// At an index of a section; of a moved item, the index that it has afterwards.
  case at(Int, in: SectionID)
  /// Right before another item, in its section.
  case before(ItemID)
  /// Right after another item, in its section.
  case after(ItemID)
}

extension ItemPosition: Sendable where SectionID: Sendable, ItemID: Sendable {}
