import Cryptography

/// A collection from its creation to its deletion: its name in tokens, and a secret of its own.
///
/// A collection that is created again under the same name has another lineage.
public struct Lineage: Hashable, Sendable {
  /// The first part of its tokens.
  public let name: String
  /// The key of the hashes in tokens that restricted readers are sent.
  public let secret: Secret

  /// Creates a lineage.
  public init(name: String, secret: Secret) { (self.name, self.secret) = (name, secret) }

  /// Creates a lineage with eight random letters and digits for a name.
  package static func random(using generator: inout any RandomNumberGenerator) -> Lineage {
    let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    let name = (0..<8).map { _ in alphabet[Int.random(in: 0..<36, using: &generator)] }
    return Lineage(
      name: String(decoding: name, as: UTF8.self), secret: .random(using: &generator))
  }
}

extension Lineage {
  /// 16 random bytes, drawn when a collection is created, and stored, exported and backed up with it alone.
  ///
  /// Its description does not show them, so that no log can.
  public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let high: UInt64
    private let low: UInt64

    /// The number of bytes.
    public static let byteCount = 16

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Creates a secret from stored bytes; nil unless there are 16.
    public init?(_ bytes: some Swift.Collection<UInt8>) {
      guard bytes.count == Self.byteCount else { return nil }
      let words = bytes.reduce(into: (high: UInt64(0), low: UInt64(0))) {
        $0 = ($0.high << 8 | $0.low >> 56, $0.low << 8 | UInt64($1))
      }
      self.init(high: words.high, low: words.low)
    }

    /// Draws a secret.
    public static func random(using generator: inout some RandomNumberGenerator) -> Secret {
      Secret(high: generator.next(), low: generator.next())
    }

    /// Stands for a secret that cannot be read: no version has it.
    public static let unreadable = Secret(high: 0, low: 0)

    /// The bytes to store.
    public var bytes: [UInt8] {
      [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
      }
    }

    /// The first bits of the keyed hash (HMAC-SHA-256) of a text.
    fileprivate func hash(_ text: some Swift.Collection<UInt8>) -> (first: UInt64, second: UInt64) {
      let code = SecretKey(bytes).code(of: text)
      let words = [code[..<8], code[8..<16]].map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
      return (words[0], words[1])
    }

    /// A placeholder.
    public var description: String { "secret" }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The mark of tokens under a restriction, given by a canonical text that is the same in all releases.
  func mark(_ restriction: [UInt8]) -> VersionToken.Mark {
    let hash = secret.hash("mark \(name) ".utf8 + restriction)
    return VersionToken.Mark(.restriction, bits: hash.first >> 16)
  }

  /// The token for readers under the restriction with a mark.
  ///
  /// Its third part is a keyed hash of the others and of the digest: it does not reveal whether a guess of the
  /// content is right, nor whether a content came back.
  package func token(_ plain: VersionToken, _ mark: VersionToken.Mark) -> VersionToken {
    let hash = secret.hash("token \(plain.plain).\(mark)".utf8)
    let digest = ContentDigest(high: hash.first, low: UInt32(hash.second >> 32))
    return VersionToken(lineage: name, seq: plain.seq, digest: digest.text, mark: mark)
  }

  /// The token for readers of the feed of changes who may not read the collection.
  ///
  /// It is that of a restriction that shows nothing.
  package func hiddenToken(_ plain: VersionToken) -> VersionToken { token(plain, mark([])) }
}
