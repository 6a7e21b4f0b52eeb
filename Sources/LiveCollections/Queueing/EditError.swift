/// An edit that cannot be: it names something that is not there.
public enum EditError: Error, Hashable, Sendable {
  /// There is no item with this id; the id as text.
  case unknownItem(String)

  /// There is no section with this id; the id as text.
  case unknownSection(String)

  /// An index that is not in the list, and the number of places that there are.
  case indexOutOfRange(Int, count: Int)
}

extension EditError: CustomStringConvertible {
  /// What is not there, in one sentence.
  public var description: String {
    switch self {
    case .unknownItem(let id): "there is no item \"\(id)\""
    case .unknownSection(let id): "there is no section \"\(id)\""
    case .indexOutOfRange(let index, let count): "index \(index) is not in 0..<\(count)"
    }
  }
}
