import LiveDeltaClient
import SnapshotJSON

/// A version of a list, read from a history file.
struct ReplayVersion: Sendable {
  /// The snapshot to PUT.
  var body: [UInt8]
  /// The contents that a reader must then hold.
  var sections: [ReplicaSection]
}

/// A history file: one snapshot per line, as a JSON object or array, oldest first.
///
/// Members other than `sections`, `items` and `meta` are annotations and ignored.
enum ReplayInput {
  /// Returns the versions in a file; throws `InputError`, or a `Failure` with the number of the version.
  static func read(_ path: String) throws -> [ReplayVersion] {
    let bytes = try InputFile.read(path)
    var versions: [ReplayVersion] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        versions.append(try version(Array(line)))
      } catch {
        throw Failure.data("\(path): version \(index + 1): \(error)")
      }
    }
    guard !versions.isEmpty else { throw Failure.data("\(path): it has no version") }
    return versions
  }

  private static func version(_ line: [UInt8]) throws -> ReplayVersion {
    let root = try JSONReader().read(line).root
    var body = line
    if root.kind == .object {
      var writer = JSONWriter(capacity: line.count)
      writer.beginObject()
      for name in ["sections", "items", "meta"] {
        guard let value = root[name] else { continue }
        writer.key(name)
        writer.value(value)
      }
      writer.endObject()
      body = writer.bytes
    }
    return ReplayVersion(body: body, sections: try WireSnapshot(body: body).sections)
  }
}
