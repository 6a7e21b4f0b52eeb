import SnapshotJSON
import Telemetry
import VersionedCollections

/// Formats the names of clients and collections for logs, plain or hashed.
struct LoggedNames: Sendable {
  let areHashed: Bool
  // The hash is seeded per process because names are few and easily guessed. All logs of a process
  // share the seed.
  private static let seed = UInt64.random(in: 0...UInt64.max)

  /// Returns a name as it appears in a log.
  func text(_ name: ResourceName) -> [UInt8] {
    let text = Array(name.text.utf8)
    guard areHashed else { return text }
    var digits: [UInt8] = []
    digits.append(hexadecimal: hash64(text, seed: Self.seed))
    return digits
  }
}
