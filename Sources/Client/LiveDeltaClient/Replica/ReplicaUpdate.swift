public import DeltaEngine

/// The change of a replica from one version to the next.
public struct ReplicaUpdate: Sendable {
  /// The contents before the change.
  public var source: [ReplicaSection]
  /// The contents after the change.
  public var target: [ReplicaSection]
  /// The delta between them, with positions in place of the ids on the wire.
  ///
  /// Its `changes` are the ones that the wire lists (`items`, `sections`, `deleted`). They are not
  /// derived from the steps, so that the engine's simulator can compare both.
  public var delta: Delta
  /// The contents after each step; the last is `target`.
  public var stages: [[ReplicaSection]]
  /// Whether a view should animate the steps.
  public var isAnimated: Bool
}

extension ReplicaUpdate {
  /// Performs a wire delta on a list.
  ///
  /// - Parameters:
  ///   - wire: The delta.
  ///   - source: The contents of the version that it starts from.
  /// - Throws: `ReplicaError.badDelta` if it is inconsistent.
  /// - Complexity: O(*n*), where *n* is the number of items.
  public init(_ wire: WireDelta, from source: [ReplicaSection]) throws(ReplicaError) {
    let translation = try StepTranslation(try wire.patched(from: source), from: source)
    self.source = source
    stages = Array(translation.stages.dropFirst())
    target = stages.last ?? source
    isAnimated = wire.isAnimated
    do throws(DeltaMismatch) {
      delta = try translation.delta()
    } catch {
      throw .badDelta(step: nil, reason: error.reason)
    }
  }
}
