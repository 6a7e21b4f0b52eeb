import CollectionService
import Foundation
import HTTP1
import Logging
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// Each dialect, applied to the version before by an applier that knows nothing of the encoder,
/// gives exactly the version after.
@Suite(.timeLimit(.minutes(10))) struct DialectTests {
  @Test(arguments: 0..<10)
  func `each dialect leads to the target, over a thousand random pairs`(seed: UInt64) async throws {
    let collection = try EncodedCollection()
    var random = RandomCollections(seed: seed)
    var pick = SeededGenerator(seed: ~seed)
    var held: [EncodedCollection.Version] = []
    var pairs = 0
    while pairs < 1000 {
      guard let target = try await collection.put(random.body) else {
        random.advance()
        continue
      }
      // Mostly from the version before, sometimes over several.
      let steps = Int.random(in: 0..<4, using: &pick) == 0 ? 3 : 1
      if let source = held.suffix(steps).first {
        for dialect in CheckedDialect.all {
          let body = try await collection.delta(from: source.token, dialect.dialect)
          do {
            try dialect.check(JSONTree(parsing: body), from: source.document, to: target.document)
          } catch {
            Issue.record(
              """
              \(dialect.name), seed \(seed), pair \(pairs): \(error)
              \(source.document.text)
              \(target.document.text)
              \(String(decoding: body, as: UTF8.self))
              """)
            return
          }
        }
        pairs += 1
      }
      held = held.suffix(3) + [target]
      random.advance()
    }
  }

  @Test func `a JSON Patch has no more operations than what differs calls for`() async throws {
    let collection = try EncodedCollection()
    var random = RandomCollections(seed: 99)
    var source: EncodedCollection.Version?
    for _ in 0..<500 {
      defer { random.advance() }
      guard let target = try await collection.put(random.body) else { continue }
      if let source {
        let patch = try await JSONTree(parsing: collection.delta(from: source.token, .jsonPatch))
        let splice = try await JSONTree(parsing: collection.delta(from: source.token, .splice))
        let count = PatchCount(patch)
        let removed = Set(splice["removed"].elements.compactMap(\.string))
        let added = Set(splice["added"].elements.compactMap { $0.elements[2].string })
        #expect(count.itemMoves == removed.intersection(added).count)
        #expect(count.itemAdditions <= added.subtracting(removed).count)
        #expect(count.itemRemovals <= removed.subtracting(added).count)
        #expect(count.itemReplacements == splice["changed"].elements.count)
      }
      source = target
    }
  }
}

/// How many operations of a JSON Patch are about single items.
private struct PatchCount {
  var itemMoves = 0
  var itemAdditions = 0
  var itemRemovals = 0
  var itemReplacements = 0

  init(_ patch: JSONTree) {
    for operation in patch.elements {
      guard operation["path"].string?.contains("/items/") == true else { continue }
      switch operation["op"].string {
      case "move": itemMoves += 1
      case "add": itemAdditions += 1
      case "remove": itemRemovals += 1
      default: itemReplacements += 1
      }
    }
  }
}

/// A dialect with its applier.
struct CheckedDialect: Sendable {
  let name: String
  let dialect: Dialect
  /// Throws when the delta does not lead from the one document to the other.
  let check: @Sendable (_ delta: JSONTree, _ source: JSONTree, _ target: JSONTree) throws -> Void

  func check(_ delta: JSONTree, from source: JSONTree, to target: JSONTree) throws {
    try check(delta, source, target)
  }

  static let all: [CheckedDialect] = [
    CheckedDialect("staged", .staged, applyStaged),
    CheckedDialect("splice", .splice, applySplice),
    CheckedDialect("diffable", .diffable, applyDiffable),
    CheckedDialect("swift-diff", .swiftDiff, applySwiftDiff),
    CheckedDialect("ops&headers=1", .opsWithHeaders) {
      try applyOps($0, $1, countsHeaders: true)
    },
    CheckedDialect(
      name: "ops", dialect: .ops,
      check: { delta, source, target in
        let result = try applyOps(delta, HeldList(snapshot: source), countsHeaders: false)
        let wanted = try HeldList(snapshot: target)
        try expect(result.flatRows == wanted.flatRows && result.meta == wanted.meta, result)
      }),
    CheckedDialect(
      name: "json-patch", dialect: .jsonPatch,
      check: { patch, source, target in
        var applier = JSONPatchApplier(document: source)
        try applier.apply(patch)
        try expect(applier.document == target, applier.document.text)
      }),
  ]

  private init(
    name: String, dialect: Dialect,
    check: @escaping @Sendable (JSONTree, JSONTree, JSONTree) throws -> Void
  ) {
    self.name = name
    self.dialect = dialect
    self.check = check
  }

  private init(_ name: String, _ dialect: Dialect, _ apply: @escaping Applier) {
    self.init(name: name, dialect: dialect) { delta, source, target in
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

/// One collection of a service with the wire's encoders, without a wire.
struct EncodedCollection {
  struct Version {
    var token: VersionToken
    /// What GET of the collection gives.
    var document: JSONTree
  }

  private let server: DeltaServer
  private let key: CollectionKey

  init() throws {
    server = DeltaServer(
      configuration: DeltaServerConfiguration(), store: MemoryStore(),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    key = CollectionKey(
      client: try #require(ResourceName("u42")), name: try #require(ResourceName("inbox")))
  }

  /// Puts content; nil when nothing changed.
  func put(_ body: String) async throws -> Version? {
    let form = Dialect.snapshot.form
    let request = WriteRequest(.put(body: Array(body.utf8)), answer: .snapshot(form))
    let receipt = try await withCheckedContinuation { done in
      server.service.write(key, request) { done.resume(returning: $0) }
    }.get()
    guard receipt.isChanged, let answer = receipt.answer else { return nil }
    let plain = Representation(dialect: .staged, mediaType: "application/json")
    return Version(
      token: receipt.version,
      document: try JSONTree(
        parsing: HTTPResponse.answer(answer, name: key.name, plain, .none).body.joined))
  }

  /// The delta to the head.
  func delta(from token: VersionToken, _ dialect: Dialect) async throws -> [UInt8] {
    let request = ReadRequest(since: token, form: dialect.form)
    let answer = try await withCheckedContinuation { done in
      server.service.read(key, request) { result, _ in done.resume(returning: result) }
    }.get()
    guard case .delta(_, let body) = answer else { throw Misfit(reason: "\(answer)") }
    return body.bytes
  }
}
