/// The reason a replica refuses an answer; the replica is unchanged.
public enum ReplicaError: Error, Hashable, Sendable {
  /// A delta from a version other than the replica's: drop it and ask again.
  case wrongBase(held: String?, from: String)
  /// An inconsistent delta: request a snapshot.
  case badDelta(step: Int?, reason: String)
}

extension ReplicaError: CustomStringConvertible {
  /// A description in one sentence.
  public var description: String {
    switch self {
    case .wrongBase(let held, let from):
      return "a delta from \(from), but held is \(held ?? "nothing")"
    case .badDelta(let step, let reason):
      let place = step.map { "step \($0): " } ?? ""
      return "a bad delta: \(place)\(reason)"
    }
  }
}
