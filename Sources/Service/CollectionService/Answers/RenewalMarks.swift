import SnapshotJSON
import VersionedCollections

/// The marks of versions that readers of public collections are reset to: one a second, the same in all answers.
///
/// A store that was restored may have given other versions the numbers that shared caches have answers for. The
/// next question of a reader with a mark is an address that no cache knows, and one address for all who were reset
/// within a second.
struct RenewalMarks: Sendable {
  private let time: TimeSource
  private let seed: UInt64

  /// Creates the marks of a process; the seed is a random number of its own.
  init(_ time: TimeSource, seed: UInt64) {
    self.time = time
    self.seed = seed
  }

  /// The mark of this second.
  var current: VersionToken.Mark {
    let second = UInt64(bitPattern: time.uptime().components.seconds)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: second >> ($0 * 8)) }
    return VersionToken.Mark(.renewal, bits: hash64(bytes, seed: seed))
  }
}
