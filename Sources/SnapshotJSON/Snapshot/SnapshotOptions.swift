/// How the ids, items and sections of a snapshot are found and compared.
public struct SnapshotOptions: Hashable, Sendable {
  /// The seed of `idHash`.
  ///
  /// The default is random in each process, so that nobody can prepare ids that collide; then
  /// id hashes are comparable in this process only. Give a fixed one for repeatable hashes.
  public var idSeed: UInt64

  /// The protocol's defaults, or others.
  public init(idSeed: UInt64 = SnapshotOptions.processSeed) {
    self.idSeed = idSeed
  }

  /// A random number, the same as long as this process lives.
  public static let processSeed = UInt64.random(in: .min ... .max)
}
