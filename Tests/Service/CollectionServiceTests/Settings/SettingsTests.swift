import CollectionService
import SnapshotJSON
import TestSupport
import Testing
import VersionedCollections

@Suite struct SettingsTests {
  /// A list of one element many times.
  static func list(_ count: Int, _ element: String) -> String {
    "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
  }

  @Test func `settings at their limits are taken`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put("[]")
    let pointer = "/" + String(repeating: "a", count: 1021)
    for settings in [
      #"{"retention":{"versions":256,"seconds":315360000,"bytes":67108864}}"#,
      #"{"retention":{"versions":1,"seconds":0,"bytes":0}}"#,
      #"{"dataCountAnimationThreshold":0,"deltaCountAnimationThreshold":1000000}"#,
      #"{"sortBy":\#(Self.list(64, #"{"path":"/a"}"#))}"#,
      #"{"equality":{"ignore":["\#(pointer)","\#(String(repeating: "/a", count: 64))"]}}"#,
    ] {
      _ = try await bench.configure(settings)
    }
  }

  @Test func `the limit that a setting passes is told`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put("[]")
    let failure = await refusal {
      try await bench.configure(#"{"retention":{"versions":1000}}"#)
    }
    guard case .badSettings(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.limit == 256)
  }

  @Test func `ids that are derived are as short as any other`() async throws {
    let bench = ServiceBench()
    let long = String(repeating: "x", count: 257)
    let half = String(repeating: "y", count: 128)
    for body in [
      #"{"settings":{"sectionBy":"/c"},"items":[{"id":1,"c":"\#(long)"}]}"#,
      #"{"settings":{"sectionBy":{"path":["/c","/c"]}},"items":[{"id":1,"c":"\#(half)"}]}"#,
      #"{"settings":{"identity":"occurrence"},"items":[{"id":"\#(half)\#(half)"},{"id":"\#(half)\#(half)"}]}"#,
    ] {
      let failure = await refusal { try await bench.put(body) }
      guard case .badSnapshot(let error)? = failure?.error else {
        Issue.record("\(body): \(failure as Any)")
        continue
      }
      #expect(error.code == .idTooLong && error.limit == 256)
    }
  }

  @Test func `occurrences that an order names anew have ids as short as any other`() async throws {
    var limits = ServiceLimits()
    limits.idBytesMax = 3
    let bench = ServiceBench(limits: limits)
    _ = try await bench.put(
      #"{"settings":{"identity":"occurrence","sectionBy":"/c"},"items":[{"id":"ab","c":1}]}"#)
    let failure = await refusal {
      try await bench.put(#"[{"id":"ab","c":1},{"id":"ab","c":2}]"#)
    }
    guard case .badSnapshot(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.code == .idTooLong && error.limit == 3)
  }

  @Test func `a header that is derived is as small as an item`() async throws {
    var limits = ServiceLimits()
    limits.itemBytesMax = 1000
    let bench = ServiceBench(limits: limits)
    let failure = await refusal {
      try await bench.put(
        #"{"settings":{"sectionBy":{"path":"/c","headerFrom":["/t","/t"]}},"items":[{"id":1,"c":1,"t":"\#(String(repeating: "x", count: 600))"}]}"#
      )
    }
    guard case .badSnapshot(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.code == .itemTooLarge && error.limit == 1000)
  }

  @Test func `the k-th occurrence of an id is an id of its own`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(
      #"{"settings":{"identity":"occurrence"},"items":[{"id":"a"},{"id":"b"},{"id":"a"}]}"#)
    #expect(try await bench.delta(since: nil).text == ":a,b,a#2")
    _ = try await bench.put(#"[{"id":"a"},{"id":"a"},{"id":"a"},{"id":"b"}]"#)
    #expect(try await bench.delta(since: first.version).text.contains("+a#3"))
  }

  @Test func `occurrences are counted in the order that is shown, whatever made it`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"identity":"occurrence"},"items":[{"id":"a","n":2},{"id":"b","n":3},{"id":"a","n":1}]}"#
    )
    _ = try await bench.configure(
      #"{"identity":"occurrence","sortBy":[{"path":"/n","type":"number"}]}"#)
    #expect(try await bench.delta(since: nil).text == ":a,a#2,b")
    _ = try await bench.edit(#"{"op":"delete","ids":["a"]}"#)
    #expect(try await bench.delta(since: nil).text == ":a,b")
    _ = try await bench.put(#"[{"id":"a","n":2},{"id":"a","n":1}]"#)
    #expect(try await bench.delta(since: nil).text == ":a,a#2")
    let failure = await refusal { try await bench.configure(#"{"identity":"unique"}"#) }
    guard case .badSnapshot(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.code == .duplicateID)
  }

  @Test func `what equality ignores makes no version`() async throws {
    let bench = ServiceBench()
    let settings = #""settings":{"equality":{"ignore":["/fetchedAt"]}}"#
    _ = try await bench.put(#"{\#(settings),"items":[{"id":1,"fetchedAt":1}]}"#)
    #expect(try await !bench.put(#"[{"id":1,"fetchedAt":2}]"#).isChanged)
    #expect(try await bench.put(#"[{"id":1,"x":1,"fetchedAt":2}]"#).isChanged)
  }

  @Test func `another rule of equality changes nothing that is shown`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(
      #"{"sections":[{"id":"s","at":1,"items":[{"id":1,"at":1},{"id":2}]}]}"#)
    let change = try await bench.configure(#"{"equality":{"ignore":["/at"]}}"#)
    #expect(!change.isChanged)
    #expect(change.version == first.version)
    let same = try await bench.put(
      #"{"sections":[{"id":"s","at":2,"items":[{"id":1,"at":2},{"id":2}]}]}"#)
    #expect(!same.isChanged)
    _ = try await bench.put(
      #"{"sections":[{"id":"s","at":2,"items":[{"id":1,"at":2},{"id":2,"x":1}]}]}"#)
    #expect(try await bench.delta(since: first.version).text == #"delta !{"id":2,"x":1}"#)
  }

  /// The hash of {"id":1} is that under which {"id":1,"at":1} was shown first.
  @Test func `what another rule of equality counted as equal is a change by the next one`()
    async throws
  {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"equality":{"ignore":["/at"]}},"sections":[{"id":"s","at":1,"items":[{"id":1,"at":1}]}]}"#
    )
    let first = try await bench.configure(#"{"equality":{"ignore":[]}}"#)
    #expect(!first.isChanged)
    let bare = #"{"sections":[{"id":"s","items":[{"id":1}]}]}"#
    #expect(try await bench.put(bare).isChanged)
    #expect(try await bench.delta(since: first.version).text.contains(#"{"id":1}"#))
    #expect(try await !bench.put(bare).isChanged)
    let before = try await bench.delta(since: nil).heldVersion
    #expect(
      try await bench.put(#"{"sections":[{"id":"s","at":1,"items":[{"id":1,"at":1}]}]}"#).isChanged)
    #expect(try await bench.delta(since: before).text.contains(#"{"id":1,"at":1}"#))
  }

  @Test func `the writer's own JSON is taken where the paths lead`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"idPath":"/key","itemsPath":"/rows","sectionsPath":"/data/groups"},"data":{"groups":[{"key":"g","rows":[{"key":1},{"key":2}]}]},"total":2}"#
    )
    #expect(try await bench.delta(since: nil).text == "g:1,2")
    _ = try await bench.edit(#"{"op":"append","section":"g","items":[{"key":3}]}"#)
    #expect(try await bench.delta(since: nil).text == "g:1,2,3")
  }

  @Test func `sections are made of a flat list`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(
      #"{"settings":{"sectionBy":{"path":"/c","headerFrom":["/t"],"other":"z"}},"items":[{"id":1,"c":"x","t":"X"},{"id":2,"c":"y"},{"id":3,"c":"x"},{"id":4},{"id":5,"c":null},{"id":6,"c":[]},{"id":7,"c":""}]}"#
    )
    #expect(try await bench.delta(since: nil).text == "x:1,3;y:2;z:4,5,6,7")
    _ = try await bench.edit(#"{"op":"merge","id":1,"value":{"c":"y"}}"#)
    #expect(try await bench.delta(since: nil).text == "y:1,2;x:3;z:4,5,6,7")
    let answer = try await bench.delta(since: first.version).text
    #expect(answer.contains("~1") && answer.contains(##"#{"id":"x"}"##), "\(answer)")
    let failure = await refusal { try await bench.put(#"{"sections":[]}"#) }
    guard case .badSnapshot? = failure?.error else { Issue.record("\(failure as Any)"); return }
  }

  @Test func `an item that names no section is refused where none is for such items`() async throws
  {
    let bench = ServiceBench()
    for item in [#"{"id":4}"#, #"{"id":4,"c":null}"#, #"{"id":4,"c":{}}"#, #"{"id":4,"c":""}"#] {
      let failure = await refusal {
        try await bench.put(#"{"settings":{"sectionBy":"/c"},"items":[\#(item)]}"#)
      }
      guard case .badSnapshot(let error)? = failure?.error else {
        Issue.record("\(item): \(failure as Any)")
        continue
      }
      #expect(error.detail.contains("4") && error.detail.contains("sectionBy.other"))
    }
  }

  @Test func `several paths make one id that says what came from each`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"sectionBy":{"path":["/a","/b"],"other":"?"}},"items":[{"id":1,"a":"x/y","b":"z"},{"id":2,"a":"x","b":"y/z"},{"id":3,"a":"x~1y","b":"z"},{"id":4,"a":"","b":true},{"id":5,"a":"x"}]}"#
    )
    let text = try await bench.delta(since: nil).text
    #expect(text == "x~1y/z:1;x/y~1z:2;x~01y/z:3;/true:4;?:5")
  }

  @Test func `texts are sorted without case, and digits in them as numbers, where a rule says so`()
    async throws
  {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"[{"id":1,"t":"b10"},{"id":2,"t":"B9"},{"id":3,"t":"a"},{"id":4,"t":"É"},{"id":5,"t":"é"},{"id":6}]"#
    )
    for (rule, order) in [
      ("", "2,3,1,4,5,6"), (#","fold":true"#, "3,1,2,4,5,6"), (#","natural":true"#, "2,3,1,4,5,6"),
      (#","fold":true,"natural":true"#, "3,2,1,4,5,6"),
      (#","fold":true,"natural":true,"order":"desc""#, "4,5,1,2,3,6"),
    ] {
      _ = try await bench.configure(#"{"sortBy":[{"path":"/t"\#(rule)}]}"#)
      #expect(try await bench.delta(since: nil).text == ":" + order, "\(rule)")
    }
  }

  @Test func `dates are sorted in whatever form they are written`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"sortBy":[{"path":"/d","type":"date"}]},"items":[{"id":1,"d":"2024-01-03T00:00:00Z"},{"id":2,"d":"2024-01-02"},{"id":3,"d":"2023-01-01T00:00:00"},{"id":4,"d":1},{"id":5,"d":"soon"},{"id":6,"d":1704153600.5}]}"#
    )
    #expect(try await bench.delta(since: nil).text == ":4,3,2,6,1,5")
  }

  @Test func `items are sorted, and another order is a delta of moves`() async throws {
    let bench = ServiceBench()
    let items =
      #"[{"id":"a","n":10,"t":"é"},{"id":"b","n":9},{"id":"c","t":"z"},{"id":"d","n":9.0,"t":"Z"}]"#
    let first = try await bench.put(items)
    let byNumber = try await bench.configure(#"{"sortBy":[{"path":"/n","type":"number"}]}"#)
    #expect(byNumber.isChanged)
    #expect(try await bench.delta(since: nil).text == ":b,d,a,c")
    let moves = try await bench.delta(since: first.version).text.dropFirst(6).split(separator: " ")
    #expect(moves.allSatisfy { $0.hasPrefix("~") } && moves.count == 2, "\(moves)")
    #expect(try await !bench.put(items).isChanged)
    _ = try await bench.configure(#"{"sortBy":[{"path":"/n","type":"number","order":"desc"}]}"#)
    #expect(try await bench.delta(since: nil).text == ":a,b,d,c")
    _ = try await bench.configure(#"{"sortBy":[{"path":"/t"}]}"#)
    #expect(try await bench.delta(since: nil).text == ":d,c,a,b")
    _ = try await bench.edit(#"{"op":"merge","id":"b","value":{"t":"A"}}"#)
    #expect(try await bench.delta(since: nil).text == ":b,d,c,a")
  }

  @Test func `sections without items may be left out`() async throws {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"emptySections":"drop"},"sections":[{"id":"a","items":[]},{"id":"b","items":[{"id":1}]}]}"#
    )
    #expect(try await bench.delta(since: nil).text == "b:1")
    _ = try await bench.edit(#"{"op":"delete","ids":[1]}"#)
    #expect(try await bench.delta(since: nil).text == "")
  }

  @Test func `thresholds and retention are the collection's own`() async throws {
    let bench = ServiceBench()
    let first = try await bench.put(
      #"{"settings":{"dataCountAnimationThreshold":2,"retention":{"versions":2}},"items":[{"id":1},{"id":2}]}"#
    )
    let second = try await bench.put(#"[{"id":1}]"#)
    #expect(try await bench.delta(since: first.version).text == "delta -2")
    let third = try await bench.put(#"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try await bench.delta(since: second.version).text.hasPrefix("delta still "))
    #expect(try await bench.delta(since: first.version).text == "history-compacted :1,2,3")
    _ = try await bench.configure(#"{"dataCountAnimationThreshold":3}"#)
    _ = try await bench.put(#"[{"id":1},{"id":2}]"#)
    #expect(try await bench.delta(since: third.version).text == "delta -3")
  }

  @Test func `a patch leaves other settings as they are, and null means the default`() async throws
  {
    let bench = ServiceBench()
    _ = try await bench.put(
      #"{"settings":{"emptySections":"drop","sortBy":[{"path":"/n"}]},"items":[{"id":2},{"id":1}]}"#
    )
    _ = try await bench.configure(#"{"sortBy":null}"#, isPatch: true)
    _ = try await bench.put(#"[{"id":2},{"id":1}]"#)
    #expect(try await bench.delta(since: nil).text == ":2,1")
    _ = try await bench.put("[]")
    #expect(try await bench.delta(since: nil).text == "")
  }

  @Test(arguments: [
    ("[]", ""), (#"{"nope":1}"#, "/nope"), (#"{"identity":"x"}"#, "/identity"),
    (#"{"idPath":"id"}"#, "/idPath"), (#"{"equality":{"x":1}}"#, "/equality/x"),
    (#"{"equality":{"ignore":["x"]}}"#, "/equality/ignore/0"),
    (#"{"equality":{"ignore":[""]}}"#, "/equality/ignore/0"),
    (#"{"equality.ignore":["/at",""]}"#, "/equality.ignore/1"),
    (#"{"sectionBy":{}}"#, "/sectionBy"),
    (#"{"sortBy":[{"path":"/a","type":"x"}]}"#, "/sortBy/0/type"),
    (#"{"emptySections":true}"#, "/emptySections"), (#"{"animations":1}"#, "/animations"),
    (#"{"dataCountAnimationThreshold":-1}"#, "/dataCountAnimationThreshold"),
    (#"{"retention":{"versions":"x"}}"#, "/retention/versions"),
    (#"{"retention":{"versions":0}}"#, "/retention/versions"),
    (#"{"retention":{"versions":257}}"#, "/retention/versions"),
    (#"{"retention":{"seconds":9223372036854775807}}"#, "/retention/seconds"),
    (#"{"retention":{"seconds":1e3}}"#, "/retention/seconds"),
    (#"{"retention":{"bytes":67108865}}"#, "/retention/bytes"),
    (#"{"deltaCountAnimationThreshold":1000001}"#, "/deltaCountAnimationThreshold"),
    (#"{"dataCountAnimationThreshold":99999999999999999999}"#, "/dataCountAnimationThreshold"),
    (#"{"sortBy":\#(list(65, #"{"path":"/a"}"#))}"#, "/sortBy"),
    (#"{"equality":{"ignore":\#(list(65, #""/a""#))}}"#, "/equality/ignore"),
    (#"{"sectionBy":{"path":\#(list(65, #""/a""#))}}"#, "/sectionBy/path"),
    (#"{"sectionBy":{"path":"/a","headerFrom":\#(list(65, #""/a""#))}}"#, "/sectionBy/headerFrom"),
    (#"{"idPath":"/\#(String(repeating: "a", count: 1024))"}"#, "/idPath"),
    (#"{"idPath":"\#(String(repeating: "/a", count: 65))"}"#, "/idPath"),
    (#"{"animations":{"a":"\#(String(repeating: "a", count: 65_536))"}}"#, "/animations"),
  ])
  func `settings that are none are refused with a pointer`(
    settings: String, pointer: String
  ) async throws {
    let bench = ServiceBench()
    _ = try await bench.put("[]")
    let failure = await refusal { try await bench.configure(settings) }
    guard case .badSettings(let error)? = failure?.error else {
      Issue.record("\(failure as Any)")
      return
    }
    #expect(error.pointer == pointer)
    let other = CollectionKey(client: name("u"), name: name("new"))
    let inline = await refusal {
      try await bench.put(#"{"settings":\#(settings),"items":[]}"#, to: other)
    }
    guard case .badSettings(let error)? = inline?.error else {
      Issue.record("\(inline as Any)")
      return
    }
    #expect(error.pointer == "/settings" + pointer)
  }
}

extension ServiceBench {
  fileprivate func configure(
    _ settings: String, isPatch: Bool = false
  ) async throws -> WriteReceipt {
    try await write(WriteRequest(.settings(body: Array(settings.utf8), isPatch: isPatch)))
  }
}
