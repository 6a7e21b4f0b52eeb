/// Why a replica refused an answer; it is unchanged.
public enum ReplicaError: Error, Hashable, Sendable {
  /// A delta from another version than the replica's: drop it, ask again.
  case wrongBase(held: String?, from: String)
  /// An inconsistent delta: ask for a snapshot.
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
