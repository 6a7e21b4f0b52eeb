/// An edit that cannot be: it names something that is not there, or adds what is there already.
public enum EditError: Error, Hashable, Sendable {
  /// There is no item with this id; the id as text.
  case unknownItem(String)

  /// There is no section with this id; the id as text.
  case unknownSection(String)

  /// There is an item with this id already; the id as text.
  case duplicateItem(String)

  /// There is a section with this id already; the id as text.
  case duplicateSection(String)

  /// A place that is not in the list: the index asked for, and the greatest that there is, or -1.
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
