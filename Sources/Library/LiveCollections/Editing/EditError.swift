/// Why an edit cannot be made.
public enum EditError: Error, Hashable, Sendable {
  /// There is no item with this id; the id as text.
  case unknownItem(String)

  /// There is no section with this id; the id as text.
  case unknownSection(String)

  /// There already is an item with this id; the id as text.
  case duplicateItem(String)

  /// There already is a section with this id; the id as text.
  case duplicateSection(String)

  /// An index that is not in the list, and the greatest index that is, or -1.
  case indexOutOfRange(Int, max: Int)

  /// An item of an outline would be below itself; the id as text.
  case intoItself(String)
}

extension EditError: CustomStringConvertible {
  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .unknownItem(let id): "there is no item \"\(id)\""
    case .unknownSection(let id): "there is no section \"\(id)\""
    case .duplicateItem(let id): "there is an item \"\(id)\" already"
    case .duplicateSection(let id): "there is a section \"\(id)\" already"
    case .indexOutOfRange(let index, let max): "index \(index) is not in 0...\(max)"
    case .intoItself(let id): "item \"\(id)\" would be below itself"
    }
  }
}
