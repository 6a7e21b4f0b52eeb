import HTTPTestSupport
import TestSupport

/// What a reader of one dialect holds, and how it takes what it is told.
struct HeldVersion: Sendable {
  /// The dialects with their appliers; `ops` knows rows only.
  static let dialects: [(query: String, apply: Applier)] = [
    ("staged", applyStaged), ("splice", applySplice), ("diffable", applyDiffable),
    ("json-patch", { _, held in held }),
    ("ops&headers=1", { try applyOps($0, $1, countsHeaders: true) }),
    ("ops", { try applyOps($0, $1, countsHeaders: false) }),
  ]

  let dialect: Int
  /// Whether settings of the collection change: then contents may come in vain.
  let isUnruly: Bool
  private(set) var version: String?
  private(set) var list = HeldList(sections: [], meta: nil)
  /// What a JSON Patch is applied to.
  private var document = JSONTree.object([:])

  init(dialect: Int, isUnruly: Bool) {
    self.dialect = dialect
    self.isUnruly = isUnruly
  }

  var query: String { Self.dialects[dialect].query }

  /// What it shows.
  var content: KnownContent {
    let ignored: Set<String> = isUnruly ? ["at"] : []
    return query == "ops"
      ? KnownContent(rowsOf: list, ignoring: ignored) : KnownContent(list, ignoring: ignored)
  }

  /// Takes an answer; gives its kind and the reason of a reset.
  ///
  /// - Throws: `Misfit` when it does not fit what is held.
  mutating func take(_ answer: JSONTree) throws -> (kind: String, reset: String?) {
    if case .array = answer { return try patch(answer) }
    let kind = try known(answer["kind"].string, "a kind")
    switch kind {
    case "snapshot":
      version = try known(answer["version"].string)
      document = answer.without("reset")
      list = try shown(answer)
      guard answer["seq"].int == version.flatMap({ TokenParts($0)?.seq }) else {
        throw Misfit(reason: "the seq of \(version ?? "-")")
      }
    case "unchanged":
      guard answer["version"].string == version else { throw Misfit(reason: answer.text) }
    case "delta": try applyDelta(answer)
    case "deleted":
      self = HeldVersion(dialect: dialect, isUnruly: isUnruly)
    default: throw Misfit(reason: "the kind \(kind)")
    }
    return (kind, answer["reset"]["reason"].string)
  }

  /// The version advances, the content stays.
  mutating func advance(to version: String) { self.version = version }

  private mutating func applyDelta(_ delta: JSONTree) throws {
    guard delta["from"].string == version else {
      throw Misfit(reason: "from \(delta["from"].text), held \(version ?? "-")")
    }
    let delta = try whole(delta)
    let result = try Self.dialects[dialect].apply(delta, list)
    if !isUnruly { try EnvelopeReader(delta, list).check(result) }
    list = result
    version = try known(delta["to"].string)
    guard delta["seq"].int == version.flatMap({ TokenParts($0)?.seq }) else {
      throw Misfit(reason: "the seq of \(version ?? "-")")
    }
  }

  /// The delta with items in place of merge patches.
  private func whole(_ delta: JSONTree) throws -> JSONTree {
    let patched = delta["items"].members.filter { $1.keys == ["~patch"] }
    if patched.isEmpty { return delta }
    let rows = list.rowsByID
    var items = delta["items"]
    for (id, entry) in patched {
      let row = try known(rows[id], "the item \(id), which is patched")
      items = items.with(id, row.content.merging(entry["~patch"]))
    }
    return delta.with("items", items)
  }

  private mutating func patch(_ patch: JSONTree) throws -> (kind: String, reset: String?) {
    var applier = JSONPatchApplier(document: document)
    try applier.apply(patch)
    document = applier.document
    version = try known(document["version"].string)
    list = try shown(document)
    return ("delta", nil)
  }

  private func shown(_ snapshot: JSONTree) throws -> HeldList {
    let list = try HeldList(snapshot: snapshot)
    return isUnruly ? list.withOccurrences : list
  }
}
