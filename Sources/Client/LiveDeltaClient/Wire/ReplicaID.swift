/// The id of a section or an item: a text that is compared byte by byte, as the service compares it.
///
/// Strings of Swift are equal if they are canonically equivalent: `é` as one character and as an `e` with an
/// accent. To the service, and here, these are two ids.
public struct ReplicaID: Hashable, Sendable {
  /// The id as text; an integer in its digits.
  public var text: String

  /// Creates an id from its text.
  public init(_ text: String) { self.text = text }

  /// Whether both texts have the same bytes in UTF-8.
  public static func == (one: Self, other: Self) -> Bool {
    one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Hashes the bytes of the text in UTF-8.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)  // which no text contains
  }
}

extension ReplicaID: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates an id from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// The text.
  public var description: String { text }
}
