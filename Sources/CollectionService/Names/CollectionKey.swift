/// The name of a client or of a collection: 1 to 128 bytes of `A-Za-z0-9._~:@-`, not `.` or `..`.
///
/// Checked by its initialisers: every value is a valid name.
public struct ResourceName: Hashable, Comparable, Sendable {
  /// The name as text.
  public let text: String

  /// Checks a name's bytes, after percent-decoding.
  ///
  /// - Returns: nil when a byte is not allowed, or the length is not 1 to 128.
  public init?(_ bytes: some Swift.Collection<UInt8>) {
    guard 1...128 ~= bytes.count, bytes.allSatisfy(Self.isAllowed) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
    if text == "." || text == ".." { return nil }
  }

  /// The name under which readers of the feed of changes wait.
  static let changes = ResourceName(known: "changes")

  private init(known text: String) { self.text = text }

  /// Checks a name given as text.
  public init?(_ text: String) { self.init(text.utf8) }

  /// Orders by bytes: the order of the index of a client's collections.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

/// Which collection: its client, and its name among the client's collections.
public struct CollectionKey: Hashable, Sendable {
  /// The owner.
  public var client: ResourceName
  /// The name among the owner's collections.
  public var name: ResourceName

  /// Puts the two together.
  public init(client: ResourceName, name: ResourceName) {
    self.client = client
    self.name = name
  }
}
