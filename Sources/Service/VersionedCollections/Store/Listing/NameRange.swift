/// A run of names in the order of an index: from one name to another, both included.
///
/// Ends are texts, because what names begin with need not be a name.
public struct NameRange: Hashable, Sendable {
  /// The end that comes first.
  public let first: String
  /// The end that comes last.
  public let last: String

  /// All names.
  public static let all = NameRange(prefix: "")

  /// A single name.
  public init(only name: String) { (first, last) = (name, name) }

  /// All names that begin with a text.
  public init(prefix: String) {
    first = prefix
    // The tilde is the greatest byte that names may have.
    let rest = max(0, ResourceName.byteCountMax - prefix.utf8.count)
    last = prefix + String(repeating: "~", count: rest)
  }

  private init(first: String, last: String) { (self.first, self.last) = (first, last) }

  /// The names that are in both; nil if there are none.
  public func intersection(_ other: NameRange) -> NameRange? {
    let first = other.first.precedes(first) ? first : other.first
    let last = last.precedes(other.last) ? last : other.last
    return last.precedes(first) ? nil : NameRange(first: first, last: last)
  }

  /// Whether no name is after this one in the range.
  package func ends(at name: ResourceName) -> Bool { !name.text.precedes(last) }

  /// The names of several ranges, in order, each once.
  package static func union(_ ranges: [NameRange]) -> [NameRange] {
    ranges.sorted { $0.first.precedes($1.first) }.reduce(into: []) { union, next in
      guard let end = union.last, !end.last.precedes(next.first) else { return union.append(next) }
      let last = end.last.precedes(next.last) ? next.last : end.last
      union[union.count - 1] = NameRange(first: end.first, last: last)
    }
  }
}

extension String {
  /// Compares by bytes, the order of an index.
  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
