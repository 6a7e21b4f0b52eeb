/// A violation of one of the laws of deltas.
///
/// The laws are numbered as in `docs/protocol.md`: 1 indices and roles, 2 reloads separate from
/// moves, 3 sections separate from items, 4 counts, 5 the result, 6 survivors are never deleted and
/// inserted, 7 minimal moves, 8 as few steps as possible, 9 the accompanying contents, 10 the items
/// inserted with a section.
public struct LawViolation: Error, Hashable, Sendable {
  /// The number of the law, 1 to 10.
  public var law: Int
  /// The step that violates it, from 0; `nil` if it is the delta as a whole.
  public var step: Int?
  /// What is wrong, with positions.
  public var reason: String

  /// Creates a violation.
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
