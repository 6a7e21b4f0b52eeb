import SnapshotJSON
import Testing

/// PROTOCOL §3: what a snapshot is read as.
struct SnapshotTests {
  static let inbox = """
    {"sections":[
      {"id":"pinned","title":"Pinned","items":[{"id":"m4","title":"Contract"}]},
      {"id":"today","title":"Today","items":[{"id":"m6","title":"Standup"},
        {"id":7, "title":"Lunch?","unread":true}]}]}
    """

  private func ids(_ snapshot: Snapshot) -> [String] { snapshot.items.map { snapshot.text($0.id) } }

  @Test func `sections and items are read in order`() throws {
    let read = try snapshot(SnapshotTests.inbox)
    #expect(read.sections.map { read.text($0.id) } == ["pinned", "today"])
    #expect(read.sections.map(\.items) == [0..<1, 1..<3])
    #expect(ids(read) == ["m4", "m6", "7"])
    #expect(!read.isFlat)
    #expect(read.meta == nil)
    #expect(read.settings == nil)
  }

  @Test func `contents are the writer's own bytes without white space`() throws {
    let text = #"""
      { "sections" : [ { "title" : "a\u0041 b" , "items" : [ { "x" : [ 1 , 2.50 , 1E+2 ] ,
        "id" : "\u006d1" , "o" : { "b" : null , "a" : -0 } } ] , "id" : "s" , "n" : { } } ] }
      """#
    let read = try snapshot(text)
    #expect(
      read.text(read.items[0].json)
        == #"{"x":[1,2.50,1E+2],"id":"\u006d1","o":{"b":null,"a":-0}}"#)
    #expect(read.text(read.items[0].id) == "m1")
    #expect(read.text(read.sections[0].header) == #"{"title":"a\u0041 b","id":"s","n":{}}"#)
    #expect(read.text(read.sections[0].id) == "s")
  }

  @Test(arguments: [#"{"items":[{"id":1},{"id":"b"}]}"#, #"[{"id":1},{"id":"b"}]"#])
  func `a flat list is one anonymous section`(text: String) throws {
    let read = try snapshot(text)
    #expect(read.isFlat)
    #expect(read.sections.count == 1)
    #expect(read.text(read.sections[0].id).isEmpty)
    #expect(read.text(read.sections[0].header) == #"{"id":""}"#)
    #expect(read.sections[0].items == 0..<2)
    #expect(ids(read) == ["1", "b"])
    let header = try parse(#"{"id":""}"#)
    #expect(read.sections[0].content == header.contentHash())
  }

  @Test func `empty collections are snapshots`() throws {
    for text in ["[]", #"{"items":[]}"#] {
      let read = try snapshot(text)
      #expect(read.sections.count == 1)
      #expect(read.items.isEmpty)
    }
    #expect(try snapshot(#"{"sections":[]}"#).sections.isEmpty)
    #expect(try snapshot(#"{"sections":[{"id":"a","items":[]}]}"#).sections.count == 1)
  }

  @Test func `meta and settings are kept minified`() throws {
    let read = try snapshot(#"{"meta": [ 1, "a b" ],"items":[], "settings" :{ "a" : 1 }}"#)
    #expect(read.meta.map(read.text) == #"[1,"a b"]"#)
    #expect(read.settings.map(read.text) == #"{"a":1}"#)
  }

  @Test func `an id is compared by its text`() throws {
    let read = try snapshot(
      #"[{"id":7},{"id":-0},{"id":0},{"id":"é\n"},{"id":123456789012345678901}]"#)
    #expect(ids(read) == ["7", "-0", "0", "é\n", "123456789012345678901"])
  }

  @Test func `an escaped member name is the same name`() throws {
    let read = try snapshot(
      #"{"\u0073ections":[{"i\u0064":"\u0073","it\u0065ms":[{"\u0069d":1}],"x":1}]}"#)
    #expect(ids(read) == ["1"])
    #expect(read.text(read.sections[0].header) == #"{"i\u0064":"\u0073","x":1}"#)
  }

  @Test func `a section and an item may have one id`() throws {
    #expect(try snapshot(#"{"sections":[{"id":"a","items":[{"id":"a"}]}]}"#).items.count == 1)
  }

  @Test func `a section's content does not depend on its items`() throws {
    let one = try snapshot(#"{"sections":[{"id":"a","title":"T","items":[{"id":"a"}]}]}"#)
    let two = try snapshot(#"{"sections":[{"items":[],"title":"T" ,"id":"a"}]}"#)
    let other = try snapshot(#"{"sections":[{"id":"a","title":"U","items":[{"id":"a"}]}]}"#)
    #expect(one.sections[0].content == two.sections[0].content)
    #expect(one.sections[0].content != other.sections[0].content)
  }

  @Test func `a snapshot inside a document is read with its place in pointers`() throws {
    let document = try parse(#"{"old":{"items":[{"id":1}]},"new":[{"id":1},{"id":"1"}]}"#)
    let old = try #require(document["old"])
    #expect(try Snapshot.read(old, pointer: "/old").items.count == 1)
    let new = try #require(document["new"])
    let error = #expect(throws: SnapshotError.self) { try Snapshot.read(new, pointer: "/new") }
    #expect(error?.entries.map(\.pointer) == ["/new/0/id", "/new/1/id"])
  }

  @Test func `id hashes depend on the id's text and the seed only`() throws {
    let options = SnapshotOptions(idSeed: 5)
    let one = try snapshot(#"[{"id":7,"a":1}]"#, options: options)
    let two = try snapshot(#"{"items":[{"id":"\u0037"}]}"#, options: options)
    #expect(one.items[0].idHash == two.items[0].idHash)
    #expect(one.items[0].idHash == hash64(Array("7".utf8), seed: 5))
    let three = try snapshot(#"[{"id":7}]"#, options: SnapshotOptions(idSeed: 6))
    #expect(one.items[0].idHash != three.items[0].idHash)
  }
}
