import CollectionService
import SnapshotJSON

/// How the names of clients and collections appear in the logs: as they are, or as hashes.
struct LoggedNames: Sendable {
  let areHashed: Bool
  // Hashes mean something within one process only: names are few, and easily guessed. All logs of
  // a process share them.
  private static let seed = UInt64.random(in: 0...UInt64.max)

  /// A name as it appears in a log.
  func text(_ name: ResourceName) -> [UInt8] {
    let text = Array(name.text.utf8)
    guard areHashed else { return text }
    var digits: [UInt8] = []
    digits.append(hexadecimal: hash64(text, seed: Self.seed))
    return digits
  }
}
