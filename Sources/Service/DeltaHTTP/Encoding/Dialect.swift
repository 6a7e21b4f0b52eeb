import CollectionService
import VersionedCollections

/// A format of deltas.
enum Dialect: UInt8, CaseIterable, Sendable {
  case staged = 1
  case snapshot = 2
  case ops = 3
  case splice = 4
  case diffable = 5
  case jsonPatch = 6
  /// `ops` with section headers counted as rows; a separate form, but not a dialect of its own.
  case opsWithHeaders = 7

  /// The dialects that can be negotiated, in the order they are listed.
  static let allCases: [Dialect] = [.staged, .ops, .splice, .diffable, .jsonPatch, .snapshot]

  /// The name in `?dialect=`.
  var name: String {
    switch self {
    case .staged: "staged"
    case .snapshot: "snapshot"
    case .ops, .opsWithHeaders: "ops"
    case .splice: "splice"
    case .diffable: "diffable"
    case .jsonPatch: "json-patch"
    }
  }

  var mediaType: String {
    self == .jsonPatch
      ? MediaType.jsonPatch : "application/vnd.livedelta.\(name)+json"
  }

  /// The form that encoders know the dialect by.
  var form: AnswerForm { AnswerForm(dialect: rawValue) }

  /// Whether its deltas have `items`, which may be merge patches.
  var hasItems: Bool { self != .jsonPatch && self != .snapshot }
}
