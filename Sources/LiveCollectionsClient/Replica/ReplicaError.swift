/// Why a replica did not take an answer; it holds what it held.
public enum ReplicaError: Error, Hashable, Sendable {
  /// A delta from a version that the replica does not hold: drop it, ask again.
  case wrongBase(held: String?, from: String)
  /// A delta that cannot be what it says: ask for a snapshot.
  case badDelta(step: Int?, reason: String)
}

extension ReplicaError: CustomStringConvertible {
  /// What was wrong, in one sentence.
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
