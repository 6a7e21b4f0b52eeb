import VersionedCollections

/// What an answer to a reader is: its dialect and its outcome, in one number.
struct AnswerMark: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No answer to a reader.
  static let none = AnswerMark(rawValue: 0)
  /// The number of marks, ``none`` included.
  static let count = (Int(Dialect.opsWithHeaders.rawValue) + 1) * AnswerOutcome.allCases.count

  init(_ answer: ReadAnswer, _ dialect: Dialect) {
    let dialect = dialect == .opsWithHeaders ? Dialect.ops : dialect
    rawValue =
      dialect.rawValue * UInt8(AnswerOutcome.allCases.count) + AnswerOutcome(answer).rawValue
  }

  /// The dialect; `nil` for ``none``.
  var dialect: Dialect? { Dialect(rawValue: rawValue / UInt8(AnswerOutcome.allCases.count)) }

  /// The outcome; `nil` for ``none``.
  var outcome: AnswerOutcome? {
    dialect.flatMap { _ in
      AnswerOutcome(rawValue: rawValue % UInt8(AnswerOutcome.allCases.count))
    }
  }

  /// All marks but ``none``.
  static var all: [AnswerMark] {
    Dialect.allCases.flatMap { dialect in
      AnswerOutcome.allCases.map {
        AnswerMark(
          rawValue: dialect.rawValue * UInt8(AnswerOutcome.allCases.count) + $0.rawValue)
      }
    }
  }
}

/// What a reader gets.
enum AnswerOutcome: UInt8, CaseIterable, Sendable {
  case delta, unchanged, deleted
  /// A snapshot that the reader asked for.
  case snapshot
  /// A snapshot, or a refusal, in place of a delta.
  case deltaTooLarge, historyCompacted, diverged, lineageChanged

  init(_ answer: ReadAnswer) {
    switch answer {
    case .delta: self = .delta
    case .unchanged: self = .unchanged
    case .deleted: self = .deleted
    case .snapshot(_, _, nil): self = .snapshot
    case .snapshot(_, _, let reset?): self.init(reset.reason)
    }
  }

  private init(_ reason: Reset.Reason) {
    switch reason {
    case .deltaTooLarge: self = .deltaTooLarge
    case .historyCompacted: self = .historyCompacted
    case .diverged: self = .diverged
    case .lineageChanged: self = .lineageChanged
    }
  }

  /// Its name in logs and metrics.
  var name: String {
    switch self {
    case .delta: "delta"
    case .unchanged: "unchanged"
    case .deleted: "deleted"
    case .snapshot: "snapshot"
    case .deltaTooLarge: "delta-too-large"
    case .historyCompacted: "history-compacted"
    case .diverged: "diverged"
    case .lineageChanged: "lineage-changed"
    }
  }
}
