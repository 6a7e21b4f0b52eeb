package import TestSupport

/// A dialect with its applier.
package struct CheckedDialect: Sendable {
  package let name: String
  /// Throws when the delta does not lead from the one document to the other.
  private let check:
    @Sendable (_ delta: JSONTree, _ source: JSONTree, _ target: JSONTree) throws -> Void

  package func check(_ delta: JSONTree, from source: JSONTree, to target: JSONTree) throws {
    try check(delta, source, target)
  }

  package static let all: [CheckedDialect] = [
    CheckedDialect("staged", applyStaged),
    CheckedDialect("splice", applySplice),
    CheckedDialect("diffable", applyDiffable),
    CheckedDialect("ops&headers=1") {
      try applyOps($0, $1, countsHeaders: true)
    },
    CheckedDialect(
      name: "ops",
      check: { delta, source, target in
        let result = try applyOps(delta, HeldList(snapshot: source), countsHeaders: false)
        let wanted = try HeldList(snapshot: target)
        try expect(result.flatRows == wanted.flatRows && result.meta == wanted.meta, result)
      }),
    CheckedDialect(
      name: "json-patch",
      check: { patch, source, target in
        var applier = JSONPatchApplier(document: source)
        try applier.apply(patch)
        try expect(applier.document == target, applier.document.text)
      }),
  ]

  private init(
    name: String,
    check: @escaping @Sendable (JSONTree, JSONTree, JSONTree) throws -> Void
  ) {
    self.name = name
    self.check = check
  }

  private init(_ name: String, _ apply: @escaping Applier) {
    self.init(name: name) { delta, source, target in
      let held = try HeldList(snapshot: source)
      let result = try apply(delta, held)
      try expect(try result == HeldList(snapshot: target), result)
      try EnvelopeReader(delta, held).check(result)
      for (member, side) in [("from", source), ("to", target)] where delta[member].exists {
        try expect(delta[member] == side["version"], member)
      }
    }
  }
}

private func expect(_ isTrue: Bool, _ result: Any) throws {
  guard isTrue else { throw Misfit(reason: "not the target: \(result)") }
}
