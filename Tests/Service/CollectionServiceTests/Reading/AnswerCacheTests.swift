import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct AnswerCacheTests {
  private func put(_ count: Int, _ head: PublishedHead, _ cache: AnswerCache, from seq: Int = 0) {
    _ = cache.body(of: head, from: seq, .plain) {
      EncodedText([UInt8](repeating: 0x20, count: count))
    }
  }

  private func has(_ head: PublishedHead, _ cache: AnswerCache, from seq: Int = 0) -> Bool {
    var isMade = false
    _ = cache.body(of: head, from: seq, .plain) {
      isMade = true
      return EncodedText([])
    }
    return !isMade
  }

  @Test func `the answers that were not used for longest go first`() {
    let cache = AnswerCache(bytesMax: 18_000)
    let heads = (0..<8).map { _ in PublishedHead() }
    for head in heads { put(1000, head, cache) }
    #expect(has(heads[0], cache))
    put(1000, heads[3], cache, from: 1)
    #expect(cache.byteCount <= 18_000)
    #expect(has(heads[0], cache) && has(heads[3], cache) && has(heads[3], cache, from: 1))
    #expect(!has(heads[1], cache))
  }

  @Test func `what was made last stays, whatever its size`() {
    let cache = AnswerCache(bytesMax: 1000)
    let (small, large) = (PublishedHead(), PublishedHead())
    put(100, small, cache)
    put(5000, large, cache, from: 1)
    put(6000, large, cache, from: 2)
    #expect(has(large, cache, from: 2))
    #expect(cache.byteCount < 7500)
    #expect(!has(small, cache) && !has(large, cache, from: 1))
  }

  @Test func `answers to a head that is gone are forgotten`() {
    let cache = AnswerCache(bytesMax: 1000)
    let head = PublishedHead()
    put(100, head, cache)
    cache.remove(head)
    #expect(cache.byteCount == 0)
  }

  @Test func `answers made of heads that are gone by then are shared, and are few`() {
    let cache = AnswerCache(bytesMax: 1 << 20)
    let heads = (0..<100).map { _ in PublishedHead() }
    for head in heads {
      cache.remove(head)
      put(100, head, cache)
      #expect(has(head, cache))
    }
    #expect(cache.byteCount < 20_000)
  }
}
