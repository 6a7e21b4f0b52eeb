import CollectionService
import SnapshotJSON
import TestSupport
import Testing
import VersionedCollections

/// Edits, each applied to `today:[m1,m2,m3] earlier:[m4,m5]`.
@Suite struct EditVerbTests {
  static let start =
    #"{"sections":[{"id":"today","title":"T","items":[{"id":"m1"},{"id":"m2","n":{"a":1,"b":2}},{"id":"m3"}]},{"id":"earlier","items":[{"id":"m4"},{"id":5}]}]}"#

  struct Row: Sendable, CustomTestStringConvertible {
    var edits: String
    var result: String
    var testDescription: String { edits }
    init(_ edits: String, _ result: String) {
      self.edits = edits
      self.result = result
    }
  }

  static let applied = [
    Row(
      #"{"op":"insert","section":"today","after":"m1","items":[{"id":"a"},{"id":"b"}]}"#,
      "today:m1,a,b,m2,m3;earlier:m4,5"),
    Row(
      #"{"op":"insert","section":"today","before":"m1","items":[{"id":"a"}]}"#,
      "today:a,m1,m2,m3;earlier:m4,5"),
    Row(#"{"op":"insert","before":5,"items":[{"id":"a"}]}"#, "today:m1,m2,m3;earlier:m4,a,5"),
    Row(
      #"{"op":"insert","section":"earlier","at":2,"items":[{"id":"a"}]}"#,
      "today:m1,m2,m3;earlier:m4,5,a"),
    Row(
      #"{"op":"insert","section":"earlier","at":0,"items":[{"id":"a"}]}"#,
      "today:m1,m2,m3;earlier:a,m4,5"),
    Row(
      #"{"op":"insert","section":"earlier","first":true,"items":[{"id":"a"}]}"#,
      "today:m1,m2,m3;earlier:a,m4,5"),
    Row(
      #"{"op":"insert","section":"earlier","last":true,"items":[{"id":"a"}]}"#,
      "today:m1,m2,m3;earlier:m4,5,a"),
    Row(
      #"{"op":"append","section":"today","items":[{"id":"a"},{"id":"b"}]}"#,
      "today:m1,m2,m3,a,b;earlier:m4,5"),
    Row(
      #"{"op":"upsert","section":"today","first":true,"items":[{"id":"m3","x":1},{"id":"a"},{"id":"5"}]}"#,
      "today:a,m1,m2,m3;earlier:m4,5"),
    Row(
      #"{"op":"move","ids":["m3",5],"section":"today","first":true}"#, "today:m3,5,m1,m2;earlier:m4"
    ),
    Row(#"{"op":"move","ids":["m1"],"section":"today","at":2}"#, "today:m2,m3,m1;earlier:m4,5"),
    Row(
      #"{"op":"move","ids":["m1"],"section":"earlier","after":"m4"}"#, "today:m2,m3;earlier:m4,m1,5"
    ),
    Row(#"{"op":"move","ids":["m1"],"before":"5"}"#, "today:m2,m3;earlier:m4,m1,5"),
    Row(
      #"{"op":"move","ids":["m4","m1"],"section":"today","last":true}"#,
      "today:m2,m3,m4,m1;earlier:5"),
    Row(#"{"op":"delete","ids":["m1",5]}"#, "today:m2,m3;earlier:m4"),
    Row(#"{"op":"delete","ids":["m1","zz"],"missing":"ignore"}"#, "today:m2,m3;earlier:m4,5"),
    Row(
      #"{"op":"insertSection","id":"new","title":"N","last":true,"items":[{"id":"a"}]}"#,
      "today:m1,m2,m3;earlier:m4,5;new:a"),
    Row(#"{"op":"insertSection","id":"new","first":true}"#, "new:;today:m1,m2,m3;earlier:m4,5"),
    Row(
      #"{"op":"insertSection","id":"new","after":"today","items":[]}"#,
      "today:m1,m2,m3;new:;earlier:m4,5"),
    Row(#"{"op":"insertSection","id":7,"at":1,"items":[]}"#, "today:m1,m2,m3;7:;earlier:m4,5"),
    Row(#"{"op":"moveSection","id":"today","last":true}"#, "earlier:m4,5;today:m1,m2,m3"),
    Row(#"{"op":"moveSection","id":"earlier","before":"today"}"#, "earlier:m4,5;today:m1,m2,m3"),
    Row(#"{"op":"deleteSection","id":"today"}"#, "earlier:m4,5"),
    Row(#"{"op":"deleteSection","id":"none","missing":"ignore"}"#, "today:m1,m2,m3;earlier:m4,5"),
    Row(
      #"{"op":"delete","ids":["m1"]},{"op":"append","section":"earlier","items":[{"id":"m1"}]},{"op":"move","ids":["m4"],"after":"m1"}"#,
      "today:m2,m3;earlier:5,m1,m4"),
  ]

  @Test(arguments: applied)
  func `an edit does what it says, and makes one version`(row: Row) async throws {
    let bench = ServiceBench()
    let first = try await bench.put(Self.start)
    let receipt = try await bench.edit(row.edits)
    #expect(try await bench.delta(since: nil).text == row.result)
    let isSame = row.result == "today:m1,m2,m3;earlier:m4,5"
    #expect(receipt.version.seq == (isSame ? 1 : 2))
    #expect(receipt.previous == first.version)
  }

  static let contents = [
    Row(
      #"{"op":"merge","id":"m2","value":{"n":{"a":null,"c":[1]},"x":null,"y":{"z":null,"w":1}}}"#,
      #"delta !{"id":"m2","n":{"b":2,"c":[1]},"y":{"w":1}}"#),
    Row(#"{"op":"merge","id":"m2","value":{"id":"m2","n":3}}"#, #"delta !{"id":"m2","n":3}"#),
    Row(
      #"{"op":"upsert","section":"today","last":true,"items":[{"id":"m3","t":1}]}"#,
      #"delta !{"id":"m3","t":1}"#),
    Row(#"{"op":"reload","ids":["m4"]}"#, #"delta !{"id":"m4"}"#),
    Row(
      #"{"op":"updateSection","id":"today","value":{"title":"U","k":1}}"#,
      ##"delta #{"id":"today","title":"U","k":1}"##),
    Row(#"{"op":"merge","id":"m1","value":{}}"#, "unchanged"),
  ]

  @Test(arguments: contents)
  func `contents are changed in place`(row: Row) async throws {
    let bench = ServiceBench()
    let first = try await bench.put(Self.start)
    _ = try await bench.edit(row.edits)
    #expect(try await bench.delta(since: first.version).text == row.result)
  }

  static let conflicts = [
    Row(#"{"op":"insert","section":"nope","first":true,"items":[]}"#, "/edits/1"),
    Row(#"{"op":"insert","section":"today","after":"zz","items":[]}"#, "/edits/1"),
    Row(#"{"op":"insert","section":"today","after":"m4","items":[]}"#, "/edits/1"),
    Row(#"{"op":"insert","section":"today","at":4,"items":[]}"#, "/edits/1/at"),
    Row(#"{"op":"insert","section":"today","at":0,"items":[{"id":"5"}]}"#, "/edits/1/items"),
    Row(#"{"op":"merge","id":"zz","value":{}}"#, "/edits/1"),
    Row(#"{"op":"move","ids":["zz"],"section":"today","first":true}"#, "/edits/1"),
    Row(#"{"op":"move","ids":["m1"],"section":"today","after":"m1"}"#, "/edits/1"),
    Row(#"{"op":"delete","ids":["m1","zz"]}"#, "/edits/1"),
    Row(#"{"op":"reload","ids":["zz"]}"#, "/edits/1"),
    Row(#"{"op":"insertSection","id":"today","first":true}"#, "/edits/1/id"),
    Row(#"{"op":"insertSection","id":"n","first":true,"items":[{"id":"m1"}]}"#, "/edits/1/items"),
    Row(#"{"op":"moveSection","id":"zz","first":true}"#, "/edits/1"),
    Row(#"{"op":"moveSection","id":"today","after":"today"}"#, "/edits/1"),
    Row(#"{"op":"updateSection","id":"zz","value":{}}"#, "/edits/1"),
    Row(#"{"op":"deleteSection","id":"zz"}"#, "/edits/1"),
  ]

  @Test(arguments: conflicts)
  func `an edit that does not fit is told by its pointer, and nothing is applied`(
    row: Row
  ) async throws {
    let bench = ServiceBench()
    let first = try await bench.put(Self.start)
    let failure = await refusal {
      try await bench.edit(#"{"op":"delete","ids":["m2"]},"# + row.edits)
    }
    guard case .editConflict(let conflict)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(conflict.pointer == row.result)
    #expect(failure?.current == first.version)
    #expect(try await bench.delta(since: nil).text == "today:m1,m2,m3;earlier:m4,5")
  }

  static let faults = [
    Row(#"{"op":"insert","section":"today","items":[]}"#, "/edits/0"),
    Row(#"{"op":"insert","section":"today","first":true,"last":true,"items":[]}"#, "/edits/0"),
    Row(#"{"op":"insert","section":"today","first":1,"items":[]}"#, "/edits/0/first"),
    Row(#"{"op":"insert","section":"today","at":-1,"items":[]}"#, "/edits/0/at"),
    Row(#"{"op":"insert","section":"today","first":true}"#, "/edits/0"),
    Row(#"{"op":"insert","section":"today","first":true,"items":[{}]}"#, "/edits/0/items/0"),
    Row(#"{"op":"insert","first":true,"items":[]}"#, "/edits/0"),
    Row(#"{"op":"merge","id":"m1","value":[]}"#, "/edits/0"),
    Row(#"{"op":"merge","id":"m1","value":{"id":"m9"}}"#, "/edits/0/value/id"),
    Row(#"{"op":"delete","ids":["m1","m1"]}"#, "/edits/0/ids"),
    Row(#"{"op":"delete","ids":[true]}"#, "/edits/0/ids/0"),
    Row(#"{"op":"delete","ids":["m1"],"missing":"x"}"#, "/edits/0/missing"),
    Row(#"{"op":"fly"}"#, "/edits/0/op"),
    Row("7", "/edits/0"),
    Row(#"{"op":"updateSection","id":"today","value":{"items":[]}}"#, "/edits/0/value/items"),
  ]

  @Test(arguments: faults)
  func `an edit that is none is refused with a pointer`(row: Row) async throws {
    let bench = ServiceBench()
    _ = try await bench.put(Self.start)
    let failure = await refusal { try await bench.edit(row.edits) }
    guard case .badSnapshot(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.entries.first?.pointer.hasPrefix(row.result) == true, "\(error)")
  }

  @Test func `a reload of equal content lasts until the content changes`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(#"[{"id":1},{"id":2}]"#)
    let second = try await bench.edit(#"{"op":"reload","ids":[1]}"#)
    #expect(second.isChanged)
    #expect(try await bench.put(#"[{"id":1},{"id":2}]"#).isChanged == false)
    let third = try await bench.edit(#"{"op":"reload","ids":[1]}"#)
    #expect(third.isChanged)
    #expect(try await bench.delta(since: first.version).text == #"delta !{"id":1}"#)
    #expect(try await bench.delta(since: second.version).text == #"delta !{"id":1}"#)
    _ = try await bench.put(#"[{"id":1,"x":1},{"id":2}]"#)
    let last = try await bench.put(#"[{"id":1},{"id":2}]"#)
    #expect(try await bench.delta(since: first.version).text == "delta ")
    #expect(try await bench.put(#"[{"id":1},{"id":2}]"#).version == last.version)
  }

  @Test func `more edits than allowed, or more items, are too many`() async throws {
    var limits = ServiceLimits()
    limits.editsMax = 2
    limits.itemsMax = 6
    let bench = ServiceBench(limits: limits)
    _ = try await bench.put(Self.start)
    let one = #"{"op":"delete","ids":[]}"#
    for edits in [
      [one, one, one].joined(separator: ","),
      #"{"op":"append","section":"today","items":[{"id":"a"},{"id":"b"}]}"#,
    ] {
      let failure = await refusal { try await bench.edit(edits) }
      guard case .badSnapshot(let error)? = failure?.error else {
        Issue.record("\(failure as Any)")
        return
      }
      #expect(error.code == .tooManyItems)
    }
  }
}

extension ServiceBench {
  func edit(_ edits: String) async throws -> WriteReceipt {
    try await write(WriteRequest(.edit(body: Array("{\"edits\":[\(edits)]}".utf8))))
  }
}
