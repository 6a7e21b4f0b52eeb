import CollectionService
import Foundation
import HTTP1
import HTTPTestSupport
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
          let body = try await collection.delta(from: source.token, dialect.encoded)
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

extension CheckedDialect {
  /// The form that it checks.
  fileprivate var encoded: Dialect {
    Dialect.allCases.first { $0.name == name } ?? .opsWithHeaders
  }
}

/// One collection of a service with the wire's encoders, without a wire.
struct EncodedCollection {
  struct Version {
    var token: VersionToken
    /// What GET of the collection gives.
    var document: JSONTree
  }

  private let service: DeltaService
  private let key: CollectionKey

  init() throws {
    service = DeltaService(
      store: MemoryStore(), encoders: .wire, faults: { Issue.record("\($0)") })
    key = CollectionKey(
      client: try #require(ResourceName("u42")), name: try #require(ResourceName("inbox")))
  }

  /// Puts content; nil when nothing changed.
  func put(_ body: String) async throws -> Version? {
    let form = Dialect.snapshot.form
    let request = WriteRequest(.put(body: Array(body.utf8)), answer: .snapshot(form))
    let receipt = try await withCheckedContinuation { done in
      service.write(key, request) { done.resume(returning: $0) }
    }.get()
    guard receipt.isChanged, let answer = receipt.answer else { return nil }
    let plain = Representation(dialect: .staged, mediaType: "application/json")
    return Version(
      token: receipt.version,
      document: try JSONTree(
        parsing: HTTPResponse.answer(answer, name: key.name, plain, .none).body.bytes))
  }

  /// The delta to the head.
  func delta(from token: VersionToken, _ dialect: Dialect) async throws -> [UInt8] {
    let request = ReadRequest(.everything, since: token, form: dialect.form)
    let answer = try await withCheckedContinuation { done in
      service.read(key, request) { result, _ in done.resume(returning: result) }
    }.get()
    guard case .delta(_, let body) = answer else { throw Misfit(reason: "\(answer)") }
    return body.bytes
  }
}
