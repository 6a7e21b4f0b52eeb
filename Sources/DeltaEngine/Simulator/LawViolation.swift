/// A law of a delta that a delta breaks.
///
/// The laws are numbered as in `docs/protocol.md`: 1 indices and roles, 2 reloads apart from moves,
/// 3 sections apart from items, 4 counts, 5 the result, 6 survivors are never deleted and inserted,
/// 7 minimal moves, 8 as few steps as possible, 9 the contents that come along, 10 the items that
/// an inserted section comes with.
public struct LawViolation: Error, Hashable, Sendable {
  /// The number of the law, 1 to 10.
  public var law: Int
  /// The step that breaks it, from 0; `nil` when it is the delta as a whole.
  public var step: Int?
  /// What is wrong, with the places.
  public var reason: String

  /// A broken law.
  public init(law: Int, step: Int? = nil, reason: String) {
    self.law = law
    self.step = step
    self.reason = reason
  }
}

extension LawViolation: CustomStringConvertible {
  /// The law, the step and the reason, in one line.
  public var description: String {
    let place = step.map { ", step \($0)" } ?? ""
    return "law \(law)\(place): \(reason)"
  }
}
