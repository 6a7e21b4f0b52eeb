import SnapshotJSON

/// The name of a client or collection: 1 to 128 bytes of `A-Za-z0-9._~:@-`, except `.` and `..`.
///
/// Every value is a valid name.
public struct ResourceName: Hashable, Comparable, Sendable {
  package static let byteCountMax = 128
  /// The name as text.
  public let text: String

  /// Creates a name from its bytes, after percent-decoding.
  ///
  /// - Returns: nil if a byte is not allowed, the length is not 1 to 128, or the name is `.` or
  ///   `..`.
  public init?(_ bytes: some Swift.Collection<UInt8>) {
    guard 1...Self.byteCountMax ~= bytes.count, bytes.allSatisfy(Self.isAllowed) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
    if text == "." || text == ".." { return nil }
  }

  /// The name under which readers of the feed of changes wait.
  package static let changes = ResourceName(known: "changes")

  private init(known text: String) { self.text = text }

  /// Creates a name from text.
  public init?(_ text: String) { self.init(text.utf8) }

  /// Compares by bytes, the order of a client's index.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "._~:@-".utf8.contains(byte)
  }
}

/// Identifies a collection by its client and its name.
public struct CollectionKey: Hashable, Sendable {
  /// The owner.
  public var client: ResourceName
  /// The name, unique among the client's collections.
  public var name: ResourceName

  /// Creates a key.
  public init(client: ResourceName, name: ResourceName) {
    self.client = client
    self.name = name
  }
}
