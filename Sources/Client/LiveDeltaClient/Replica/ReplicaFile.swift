import DeltaEngine
public import Foundation
import SnapshotJSON

/// A file that keeps the replicas of a feed from one start of an app to the next.
///
/// Versions and contents are written together, by one atomic replacement of the file, with a checksum. Only the
/// user who runs the app may read it, and on a device only after it was unlocked once, so that a background
/// refresh can. A file that is damaged, of another collection or of another service counts as none: an initial
/// load, never a wrong list.
public struct ReplicaFile: Sendable {
  /// Where the file is.
  public let url: URL
  /// The largest file that is written or read, in bytes; what needs more is not kept.
  public let bytesMax: Int

  private static let magic = "livedelta-replica-2 "

  /// Creates a reference to a file, which need not exist.
  public init(at url: URL, bytesMax: Int = 8 << 20) {
    (self.url, self.bytesMax) = (url, bytesMax)
  }

  /// Removes the file, such as when a user signs out.
  public func remove() throws {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Returns the replicas in the file, by name; `nil` if there are none for this owner.
  func load(_ owner: String) -> [String: CollectionReplica]? {
    // An error means that there is no file to start from: the first answer is a snapshot.
    let values = try? url.resourceValues(forKeys: [.fileSizeKey])
    // An error means the same.
    guard let size = values?.fileSize, size <= bytesMax, let data = try? Data(contentsOf: url)
    else { return nil }
    let bytes = [UInt8](data)
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let body = Array(bytes[(end + 1)...])
    guard bytes[..<end].elementsEqual(Self.head(of: body).utf8.dropLast()) else { return nil }
    // An error means the same.
    return try? Self.replicas(JSONValue(parsing: body), owner)
  }

  /// Writes the replicas that have a version; without any, or if they are too large, removes the file.
  func save(_ replicas: [String: CollectionReplica], _ owner: String) throws {
    let kept = replicas.filter { $1.version != nil }
    if kept.isEmpty { return try remove() }
    let body = JSONWriter.object { writer in
      writer.member("owner", owner)
      writer.beginObject("replicas")
      for (name, replica) in kept {
        writer.key(name)
        writer.object(replica)
      }
      writer.endObject()
    }
    let head = Array(Self.head(of: body).utf8)
    guard head.count + body.count <= bytesMax else { return try remove() }
    try PrivateFile(url).replace(by: head + body)
  }

  private static func head(of body: [UInt8]) -> String {
    let hash = hash128(body)
    return magic + String(hash.high, radix: 16) + "-" + String(hash.low, radix: 16) + "\n"
  }

  private static func replicas(
    _ value: JSONValue, _ owner: String
  ) throws(ClientError) -> [String: CollectionReplica]? {
    guard try value.member("owner").asString() == owner else { return nil }
    var replicas: [String: CollectionReplica] = [:]
    for (name, replica) in try value.member("replicas").asObject() {
      replicas[name] = try CollectionReplica(stored: replica)
    }
    return replicas
  }
}

extension JSONWriter {
  /// Writes a replica with all ids, which need not be in its contents.
  fileprivate mutating func object(_ replica: CollectionReplica) {
    object { writer in
      writer.member("version", replica.version ?? "")
      writer.member("seq", replica.seq)
      if let meta = replica.meta { writer.member("meta", raw: meta) }
      writer.array("sections", replica.sections) { writer, section in
        writer.object { writer in
          writer.member("id", section.id.text)
          writer.member("header", raw: section.header)
          writer.array("items", section.items) { writer, item in
            writer.beginArray()
            writer.string(item.id.text)
            writer.raw(item.json)
            writer.endArray()
          }
        }
      }
    }
  }
}

extension CollectionReplica {
  fileprivate init(stored value: JSONValue) throws(ClientError) {
    var snapshot = WireSnapshot(
      collection: "", version: try value.member("version").asString(),
      seq: try value.member("seq").asInt(), sections: [])
    snapshot.meta = value.optional("meta")?.minified()
    for section in try value.member("sections").asArray() {
      var read = ReplicaSection(
        id: ReplicaID(try section.member("id").asString()), headerOf: try section.member("header"))
      for item in try section.member("items").asArray() {
        let pair = try item.asArray(of: 2)
        read.items.append(ReplicaItem(id: ReplicaID(try pair[0].asString()), pair[1]))
      }
      snapshot.sections.append(read)
    }
    self.init()
    replace(by: snapshot)
  }
}
