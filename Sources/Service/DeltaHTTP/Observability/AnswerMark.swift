import VersionedCollections

/// What an answer to a reader is: its dialect and its outcome, in one number.
struct AnswerMark: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  /// What a reader can get: what it asked for, or the reason of a snapshot in place of a delta.
  private static let outcomes = [
    "delta", "unchanged", "deleted", "snapshot", "delta-too-large", "history-compacted",
    "diverged", "lineage-changed", "view-changed",
  ]
  private static let outcomeCount = UInt8(outcomes.count)

  /// No answer to a reader.
  static let none = AnswerMark(rawValue: 0)
  /// The number of marks, ``none`` included.
  static let count = (Int(Dialect.opsWithHeaders.rawValue) + 1) * outcomes.count

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ answer: ReadAnswer, _ dialect: Dialect) {
    let outcome: UInt8 =
      switch answer {
      case .delta: 0
      case .unchanged: 1
      case .deleted: 2
      case .snapshot(_, _, nil): 3
      case .snapshot(_, _, let reset?):
        switch reset.reason {
        case .deltaTooLarge: 4
        case .historyCompacted: 5
        case .diverged: 6
        case .lineageChanged: 7
        case .viewChanged: 8
        }
      }
    let dialect = dialect == .opsWithHeaders ? Dialect.ops : dialect
    rawValue = dialect.rawValue * Self.outcomeCount + outcome
  }

  /// The dialect; `nil` for ``none``.
  var dialect: Dialect? { Dialect(rawValue: rawValue / Self.outcomeCount) }

  /// The outcome, as logs and metrics name it; `nil` for ``none``.
  var outcome: String? {
    dialect == nil ? nil : Self.outcomes[Int(rawValue % Self.outcomeCount)]
  }

  /// All marks but ``none``.
  static var all: [AnswerMark] {
    Dialect.allCases.flatMap { dialect in
      (0..<outcomeCount).map { AnswerMark(rawValue: dialect.rawValue * outcomeCount + $0) }
    }
  }
}
