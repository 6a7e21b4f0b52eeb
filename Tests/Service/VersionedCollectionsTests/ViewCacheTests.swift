import Testing

@testable import VersionedCollections

@Suite struct ViewCacheTests {
  private func view(_ number: Int) throws -> View {
    try ViewQuery([("where", "/n:eq:\(number)")]).view
  }

  private func members(_ count: Int) -> ViewMembers {
    var bits = ItemBits(itemCount: count)
    bits.seal()
    return ViewMembers(allowed: nil, shown: bits, order: nil, itemCount: count)
  }

  @Test func `views are forgotten, least recently used first, when they take too much`() throws {
    let cache = ViewCache()
    let members = members(10_000)
    for number in 0..<1000 {
      cache.insert(members, try view(number), 1, contentBytes: 100_000)
      #expect(cache.members(try view(0), 1) != nil, "after \(number)")
    }
    #expect(cache.byteCount <= 400_000)
    #expect(cache.count > 100)
    #expect(cache.members(try view(1), 1) == nil)
    #expect(cache.members(try view(999), 1) != nil)
  }

  @Test func `of a view there are two versions, those it was asked for last`() throws {
    let cache = ViewCache()
    let view = try view(0)
    for seq in 1...4 { cache.insert(members(100), view, seq, contentBytes: 0) }
    #expect((1...4).map { cache.members(view, $0) != nil } == [false, false, true, true])
    _ = cache.members(view, 3)
    cache.insert(members(100), view, 5, contentBytes: 0)
    #expect((3...5).map { cache.members(view, $0) != nil } == [true, false, true])
    #expect(cache.newestMembers(view)?.seq == 5)
    #expect(cache.byteCount < 2000)
  }

  @Test(arguments: [[], ["A"]])
  func `a version that is known without headers and meta is not taken for a head`(
    sections: [String]
  ) throws {
    var bench = ViewBench()
    let made = try bench.version(sections.map { ($0, [#"{"id":"a"}"#]) })
    func version(_ headers: [Contents.Place], _ meta: Contents.Place?) -> ViewableVersion {
      let contents = Contents(
        buffer: made.contents.buffer, itemPlaces: made.contents.itemPlaces, headerPlaces: headers,
        metaPlace: meta)
      return ViewableVersion(sections: made.sections, ids: made.ids, contents: contents)
    }
    let head = version(made.contents.headerPlaces, Contents.Place(offset: 0, count: 0))
    let bare = version([], nil)
    let cache = ViewCache()
    cache.insert(head, 2, head: 2)
    cache.insert(bare, 1, head: 2)
    #expect(cache.version(1, head: 2) { head }.contents.meta == nil)
    // The answer to a reader who came before there was version 2.
    #expect(cache.version(1, head: 1) { head }.contents.meta != nil)
    #expect(cache.version(1, head: 2) { bare }.contents.meta != nil)
  }

  @Test func `one view is kept whatever it takes`() throws {
    let cache = ViewCache()
    cache.insert(members(10_000_000), try view(0), 1, contentBytes: 0)
    #expect(cache.members(try view(0), 1) != nil)
    cache.insert(members(10), try view(1), 1, contentBytes: 0)
    #expect(cache.members(try view(0), 1) == nil)
  }
}
