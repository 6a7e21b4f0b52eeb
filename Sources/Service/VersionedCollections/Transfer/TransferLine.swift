import Foundation
import SnapshotJSON

/// A line of an export, an NDJSON text with what a store keeps: idempotency keys, and collections with
/// their settings, versions and contents of older versions.
///
/// ```text
/// {"format":"livedelta-export","formatVersion":2}
/// {"client":"u42","collection":"cart","key":"…"}
/// {"client":"u42","collection":"cart","version":"…","secret":"…","settings":{…},"image":"…","changes":["…"]}
/// {"end":true}
/// ```
///
/// Keys, images and changes are in the form in which stores keep them, in base64.
public enum TransferLine: Sendable {
  /// The first line.
  case head
  /// An idempotency key of a collection, or of batches.
  case key(IdempotencyRecord, client: ResourceName)
  case collection(StoredHistory, CollectionKey)
  /// A collection that could not be read, with the reason.
  case damaged(CollectionKey, String)
  /// The last line; without it the export is incomplete.
  case end

  private static let format = "livedelta-export"
  private static let formatVersion = 2

  /// The line as JSON text, without a line feed.
  public var text: [UInt8] {
    JSONWriter.object { writer in
      switch self {
      case .head:
        writer.member("format", Self.format)
        writer.member("formatVersion", Self.formatVersion)
      case .key(let record, let client):
        writer.member("client", client.text)
        if let collection = record.collection { writer.member("collection", collection.text) }
        writer.member("key", Self.base64(record.encoded))
      case .collection(let history, let key):
        writer.member("client", key.client.text)
        writer.member("collection", key.name.text)
        Self.write(history, to: &writer)
      case .damaged(let key, let reason):
        writer.member("client", key.client.text)
        writer.member("collection", key.name.text)
        writer.member("damaged", reason)
      case .end: writer.member("end", true)
      }
    }
  }

  private static func write(_ history: StoredHistory, to writer: inout JSONWriter) {
    let stored = history.collection.storedSettings
    writer.member("version", "\(history.collection.version)")
    writer.member("secret", base64(history.collection.lineage.secret.bytes))
    if let settings = stored.settings { writer.member("settings", raw: settings) }
    if let overrides = stored.overrides { writer.member("overrides", base64(overrides)) }
    if let damage = history.damage { writer.member("shortened", damage.reason) }
    writer.member("image", base64(history.collection.image()))
    writer.key("changes")
    writer.beginArray()
    for change in history.changes { writer.string(base64(change.bytes)) }
    writer.endArray()
  }

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  // MARK: Reading

  /// Reads a line.
  ///
  /// - Throws: `DamagedData` if it is none, or if its contents are not those of its version.
  public init(_ line: [UInt8]) throws(DamagedData) {
    let root = try Self.object(line)
    func name(_ member: String) throws(DamagedData) -> ResourceName {
      guard let name = root[member]?.string.flatMap({ ResourceName($0) }) else {
        throw DamagedData("`\(member)` is not a name")
      }
      return name
    }
    if root["end"] != nil {
      self = .end
    } else if let format = root["format"] {
      guard format.string == Self.format, root["formatVersion"]?.int == Self.formatVersion else {
        throw DamagedData("this is not an export that this release can read")
      }
      self = .head
    } else if let key = root["key"] {
      let collection = root["collection"] == nil ? nil : try name("collection")
      let record = try IdempotencyRecord(Self.bytes(key), about: collection)
      self = .key(record, client: try name("client"))
    } else {
      let key = CollectionKey(client: try name("client"), name: try name("collection"))
      if let reason = root["damaged"]?.string {
        self = .damaged(key, reason)
      } else {
        self = .collection(try Self.history(root), key)
      }
    }
  }

  private static func object(_ line: [UInt8]) throws(DamagedData) -> StrictJSON.Object {
    var object: StrictJSON.Object?
    do {
      object = try JSONReader().readStrictly(line).object()
    } catch let fault as MemberFault {
      throw DamagedData(fault.detail)
    } catch {
      throw DamagedData("\(error)")
    }
    guard let object else { throw DamagedData("a line is an object") }
    return object
  }

  private static func history(_ root: StrictJSON.Object) throws(DamagedData) -> StoredHistory {
    guard let image = root["image"],
      let version = root["version"]?.string.flatMap({ VersionToken($0) })
    else { throw DamagedData("a line has an image and its version") }
    // Releases before this one exported none.
    var generator = SystemRandomNumberGenerator()
    let secret = try root["secret"].map(secret) ?? .random(using: &generator)
    let lineage = Lineage(name: version.lineage, secret: secret)
    var collection = try StoredCollection(lineage: lineage, image: bytes(image))
    guard collection.version == version else {
      throw DamagedData("the image is of version \(collection.version), not \(version)")
    }
    let overrides = try root["overrides"].map(bytes)
    try collection.apply(
      StoredSettings(settings: root["settings"].map { Array($0.rawBytes) }, overrides: overrides))
    try collection.checkDigest()
    var changes: [[UInt8]] = []
    if let elements = root["changes"]?.elements {
      for change in elements { changes.append(try bytes(change)) }
    }
    if changes.isEmpty {
      return StoredHistory(collection, damage: root["shortened"]?.string.map(DamagedData.init))
    }
    return try StoredHistory(collection, changes: changes)
  }

  private static func secret(_ value: StrictJSON) throws(DamagedData) -> Lineage.Secret {
    guard let secret = Lineage.Secret(try bytes(value)) else {
      throw DamagedData("`secret` must have \(Lineage.Secret.byteCount) bytes in base64")
    }
    return secret
  }

  private static func bytes(_ value: StrictJSON) throws(DamagedData) -> [UInt8] {
    guard let data = value.string.flatMap({ Data(base64Encoded: $0) }) else {
      throw DamagedData("data that is not base64")
    }
    return Array(data)
  }
}
