import DeltaEngine
import SnapshotJSON
import Testing

/// PROTOCOL §10: the settings that say how a snapshot is read.
struct SnapshotOptionsTests {
  private func ids(_ snapshot: Snapshot) -> [String] { snapshot.items.map { snapshot.text($0.id) } }

  private func pointer(_ text: String) -> JSONPointer {
    JSONPointer(text) ?? JSONPointer(tokens: [])
  }

  private func refusal(_ text: String, _ options: SnapshotOptions) -> SnapshotError? {
    #expect(throws: SnapshotError.self, "\(text)") { try snapshot(text, options: options) }
  }

  // MARK: Paths

  @Test func `sections, items and ids are found in the writer's own document`() throws {
    let options = SnapshotOptions(
      idPath: pointer("/meta/key"), itemsPath: pointer("/content/rows"),
      sectionsPath: pointer("/data/groups"))
    let read = try snapshot(
      #"""
      {"status":"ok","data":{"page":1,"groups":[
        {"meta":{"key":"a"},"title":"A","content":{"rows":[{"meta":{"key":1},"id":"no"}],"n":1}},
        {"meta":{ "key":"\u0062"},"content":{"rows":[{"x":2,"meta":{ "y":0,"key":"k\u0032"}}]}}]}}
      """#, options: options)
    #expect(read.sections.map { read.text($0.id) } == ["a", "b"])
    #expect(ids(read) == ["1", "k2"])
    #expect(
      read.sections.map { read.text($0.header) } == [
        #"{"meta":{"key":"a"},"title":"A","content":{"n":1}}"#,
        #"{"meta":{"key":"\u0062"},"content":{}}"#,
      ])
    #expect(read.text(read.items[1].json) == #"{"x":2,"meta":{"y":0,"key":"k\u0032"}}"#)
  }

  @Test func `a flat list is found by its path`() throws {
    let options = SnapshotOptions(itemsPath: pointer("/result/rows"))
    let read = try snapshot(#"{"result":{"rows":[{"id":1}]},"took":5}"#, options: options)
    #expect(read.isFlat)
    #expect(ids(read) == ["1"])
    #expect(try snapshot(#"[{"id":1}]"#, options: options).isFlat)
  }

  @Test func `an array of sections is found by the empty path`() throws {
    let options = SnapshotOptions(sectionsPath: JSONPointer(tokens: []))
    let read = try snapshot(#"[{"id":"a","items":[{"id":1}]}]"#, options: options)
    #expect(!read.isFlat)
    #expect(ids(read) == ["1"])
    let error = refusal(#"[{"id":"a","items":[{"id":1},{"id":1}]}]"#, options)
    #expect(error?.entries.map(\.pointer) == ["/0/items/0/id", "/0/items/1/id"])
  }

  @Test func `a list inside meta is copied with it and by itself`() throws {
    let options = SnapshotOptions(itemsPath: pointer("/meta/items"))
    let items = (0..<200).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let read = try snapshot(#"{"meta":{"items":[\#(items)]}}"#, options: options)
    #expect(read.meta.map(read.text) == #"{"items":[\#(items)]}"#)
    #expect(read.items.count == 200)
  }

  @Test func `faults are shown at the writer's own places`() {
    let options = SnapshotOptions(
      idPath: pointer("/k/0"), itemsPath: pointer("/r~1s"), sectionsPath: pointer("/d/g"))
    let rows: [(String, SnapshotError.Code, [String])] = [
      ("{}", .badSnapshot, [""]), (#"{"d":{"g":7}}"#, .badSnapshot, ["/d/g"]),
      (#"{"d":{"g":[],"g":[]}}"#, .badSnapshot, ["/d/g"]),
      (#"{"d":{"g":[]},"r/s":[]}"#, .badSnapshot, ["/r~1s"]),
      (#"{"d":{"g":[{"k":["a"]}]}}"#, .badSnapshot, ["/d/g/0"]),
      (#"{"d":{"g":[{"k":["a"],"r/s":1}]}}"#, .badSnapshot, ["/d/g/0/r~1s"]),
      (#"{"d":{"g":[{"k":["a"],"r/s":[{}]}]}}"#, .badSnapshot, ["/d/g/0/r~1s/0"]),
      (#"{"r/s":[{"k":[null]}]}"#, .badSnapshot, ["/r~1s/0/k/0"]),
      (#"{"r/s":[{"k":[1]},{"k":["1"]}]}"#, .duplicateID, ["/r~1s/0/k/0", "/r~1s/1/k/0"]),
      (#"{"r/s":[{"k":[1],"k":[2]}]}"#, .badSnapshot, ["/r~1s/0/k/0"]),
    ]
    for (text, code, pointers) in rows {
      let error = refusal(text, options)
      #expect(error?.code == code, "\(text)")
      #expect(error?.entries.map(\.pointer) == pointers, "\(text)")
    }
  }

  @Test func `a section's id cannot be found among its items`() {
    let options = SnapshotOptions(idPath: pointer("/items/0/x"))
    let error = refusal(#"{"sections":[{"items":[{"x":"a"}]}]}"#, options)
    #expect(error?.entries.map(\.pointer) == ["/sections/0/items/0/x"])
  }

  // MARK: Equality

  @Test func `what equality ignores changes no content`() throws {
    let options = SnapshotOptions(
      equalityIgnored: ["/fetchedAt", "/stats/views", "/tags/0", ""].map(pointer))
    func contents(_ text: String) throws -> [ContentHash] {
      let read = try snapshot(text, options: options)
      return read.items.map(\.content) + read.sections.map(\.content)
    }
    let one = try contents(
      #"{"sections":[{"id":1,"fetchedAt":1,"items":[{"id":1,"fetchedAt":1,"stats":{"views":1,"x":1},"tags":["a","b"]}]}]}"#
    )
    let same = try contents(
      #"{"sections":[{"id":1,"items":[{"stats":{"x":1,"\u0076iews":[2]},"tags":["c","b"],"id":1}]}]}"#
    )
    let other = try contents(
      #"{"sections":[{"id":1,"items":[{"stats":{"x":2},"tags":["c","b"],"id":1}]}]}"#)
    #expect(one == same)
    #expect(one[0] != other[0])
    #expect(one[1] == other[1])
  }

  @Test func `what equality ignores is still kept`() throws {
    let options = SnapshotOptions(equalityIgnored: [pointer("/at")])
    let read = try snapshot(#"[{"id":1,"at":2}]"#, options: options)
    #expect(read.text(read.items[0].json) == #"{"id":1,"at":2}"#)
  }

  // MARK: Occurrences

  @Test func `the k-th occurrence of an id is named by its number`() throws {
    let options = SnapshotOptions(identity: .occurrence)
    let read = try snapshot(
      #"{"sections":[{"id":"s","items":[{"id":"a"},{"id":"\u0061"},{"id":1}]},{"id":"s","items":[{"id":"a"},{"id":"1"},{"id":"b"}]}]}"#,
      options: options)
    #expect(ids(read) == ["a", "a#2", "1", "a#3", "1#2", "b"])
    #expect(read.sections.map { read.text($0.id) } == ["s", "s#2"])
    #expect(read.text(read.items[3].json) == #"{"id":"a"}"#)
    #expect(read.items[0].content == read.items[3].content)
    #expect(read.items[3].idHash == hash64(Array("a#3".utf8), seed: options.idSeed))
  }

  @Test func `an occurrence that takes another item's id is refused`() {
    let error = refusal(
      #"[{"id":"a"},{"id":"a"},{"id":"a#2"}]"#, SnapshotOptions(identity: .occurrence))
    #expect(error?.code == .duplicateID)
    #expect(error?.entries.map(\.pointer) == ["/1/id", "/2/id"])
    #expect(error?.entries.first?.detail == #"item id "a#2""#)
  }

  @Test func `one id for all items, escaped, is named in full, up to the limit of an id`() throws {
    let options = SnapshotOptions(identity: .occurrence)
    let id = String(repeating: #"\u0061"#, count: 252)
    let items = (0..<999).map { _ in #"{"id":"\#(id)"}"# }.joined(separator: ",")
    let read = try snapshot("[\(items)]", options: options)
    #expect(read.text(read.items[998].id) == String(repeating: "a", count: 252) + "#999")
    let error = refusal("[\(items),{\"id\":\"\(id)\"}]", options)
    #expect(error?.code == .idTooLong && error?.limit == 256)
    #expect(error?.entries.first?.pointer == "/999/id")
    let short = (0..<300).map { _ in #"{"id":7}"# }.joined(separator: ",")
    let more = try snapshot("[\(short)]", options: options)
    #expect(more.text(more.items[299].id) == "7#300")
  }
}
