import DeltaEngine
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct ReplacedItemsTests {
  private let texts = (0..<6).map { Array(#"{"id":"\#($0)","text":"some content"}"#.utf8) }

  /// A version of one section, each item's hash made of its index and a revision.
  private func section(_ revisions: [UInt64]) -> [StructureSection] {
    let items = revisions.enumerated().map { index, revision in
      StructureItem(
        uniqueID: UInt32(index), content: ContentHash(high: UInt64(index), low: revision))
    }
    return [StructureSection(uniqueID: 99, header: ContentHash(high: 0, low: 0), items: items)]
  }

  private var contents: Contents {
    var builder = ContentsBuilder(byteCount: 0)
    for text in texts { builder.add(item: text[...]) }
    return builder.contents
  }

  private func batch(_ old: [UInt64], _ new: [UInt64]) throws -> ReplacedItems.Batch {
    let (source, target) = (section(old), section(new))
    return ReplacedItems.Batch(try Delta(from: source, to: target), of: source, contents)
  }

  @Test func `the items that a version replaced are found by their hashes`() throws {
    var replaced = ReplacedItems()
    replaced.append(try batch([0, 0, 0, 0, 0, 0], [0, 1, 0, 1, 0, 0]), bytesMax: .max)
    replaced.append(try batch([0, 1, 0, 1, 0, 0], [0, 1, 0, 2, 0, 0]), bytesMax: .max)
    let wanted = ([(1, 0), (3, 0), (3, 1), (2, 0)] as [(UInt64, UInt64)]).map {
      ContentHash(high: $0, low: $1)
    }
    let found = replaced.texts(of: Set(wanted))
    #expect(found.count == 3)
    #expect(found[wanted[0]].map(Array.init) == texts[1])
    #expect(found[wanted[1]].map(Array.init) == texts[3])
    #expect(found[wanted[2]].map(Array.init) == texts[3])
    #expect(replaced.texts(of: []).isEmpty)
  }

  @Test func `the newest batch stays, and older ones up to the bound`() throws {
    var replaced = ReplacedItems()
    var revisions: [UInt64] = [0, 0, 0, 0, 0, 0]
    var one = 0
    for round in 0..<100 {
      var next = revisions
      next[round % 6] += 1
      let batch = try batch(revisions, next)
      one = max(one, batch.byteCount)
      replaced.append(batch, bytesMax: 4 * batch.byteCount)
      #expect(replaced.byteCount <= 4 * one)
      #expect(round < 4 || replaced.byteCount > 3 * one - 8)
      revisions = next
    }
    replaced.append(try batch(revisions, revisions.map { $0 + 1 }), bytesMax: 10)
    let hashes = section(revisions)[0].items.map(\.content)
    #expect(replaced.texts(of: Set(hashes)).count == 6)
    replaced.append(ReplacedItems.Batch(), bytesMax: 0)
    #expect(replaced.texts(of: Set(hashes)).count == 6)
  }
}
