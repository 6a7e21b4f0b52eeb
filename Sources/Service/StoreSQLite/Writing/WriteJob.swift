import VersionedCollections

struct WriteJob: Sendable {
  /// The parts to write first, one per transaction, in reverse order.
  var parts: [@Sendable (StoreTables) throws -> Void] = []
  /// Writes, or returns a refusal before it has written anything.
  var work: @Sendable (StoreTables) throws -> StoreError?
  var completion: @Sendable (StoreError?) -> Void
  /// The approximate number of bytes that `work` writes.
  var byteCount = 0
  /// Whether it is part of renewing an image, for which nobody waits.
  var isImage = false
  /// Whether it only removes something, for which room is kept on the disk.
  var frees = false
  /// Whether it goes before all others that are in line.
  var isFirst = false

  static let smallBytesMax = 256 << 10

  var isLarge: Bool { byteCount > Self.smallBytesMax || !parts.isEmpty }
}
