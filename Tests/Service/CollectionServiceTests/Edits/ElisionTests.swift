import CollectionService
import SnapshotJSON
import TestSupport
import Testing
import VersionedCollections

/// A snapshot of which most is known is read in part; nobody can tell.
@Suite struct ElisionTests {
  @Test func `items that stand as they stood are not read again`() async throws {
    let bench = ServiceBench(encoders: .whole)
    let list = (0..<100).map { "{\"id\":\($0),\"title\":\"Number \($0)\"}" }
    _ = try await bench.put("[" + list.joined(separator: ",") + "]")
    #expect(bench.knownItems == 0)
    var next = list
    next[40] = #"{"id":40,"title":"Forty"}"#
    next.remove(at: 70)
    next.insert(#"{"id":"new","title":"[{\"id\":1}]"}"#, at: 10)
    let receipt = try await bench.put("[" + next.joined(separator: ",") + "]")
    #expect(bench.knownItems == 98)
    #expect(receipt.counts.inserted == 1)
    #expect(receipt.counts.deleted == 1)
    #expect(receipt.counts.reloaded == 1)
    #expect(try await bench.whole() == "{\"id\":\"\"}[" + next.joined(separator: ",") + "]")
    #expect(try await !bench.put("{\"items\":[" + next.joined(separator: ",") + "]}").isChanged)
    #expect(bench.knownItems == 198)
  }

  @Test(arguments: [
    // Twice one that is known, and one that is read with the id of one that is known.
    #"[A,B,C,A]"#, #"[A,B,C,{"id":"a","new":1}]"#, #"[{"id":"b"},A,B,C]"#,
    // No JSON, though each item is.
    #"[A,B C]"#, #"[A,B,C.5]"#, #"[A,B,C]]"#, #"[A,B,C"#, #"[1A,B,C]"#, #"[A,B,C}"#, #"A,B,C"#,
    #"[A,,B,C]"#, #"[A,B,C,]"#, #"["A",B,C]"#, #"[A,B,C,"x]"#,
    // JSON, and no snapshot.
    #"[A,B,[C]]"#, #"{"items":[A,B,C],"more":[A]}"#, #"{"sections":[A,B,C]}"#,
    #"{"sections":[{"id":"s","items":[A,B]},C]}"#, #"{"items":{"x":[A,B,C]}}"#,
    #"{"items":[A,B,C],"items":[A]}"#, #"[A,B,C,{}]"#, #"[A,B,C,{"id":[A]}]"#,
    // White space between two tokens: no JSON, which would be some without it.
    #"[A,B,C,{"id":1 2}]"#, #"{"items":[A,B,C],"meta":tr ue}"#, #"[A,B,C,{"id":"x" "y"}]"#,
  ])
  func `what is wrong is told as if all had been read`(text: String) async throws {
    let bench = try await ServiceBench.abc()
    let other = ServiceBench()
    _ = try await other.put(#"[{"id":"zz"}]"#)
    for body in [expanded(text), spaced(expanded(text))] {
      let refused = await refusal { try await bench.put(body) }
      let expected = await refusal { try await other.put(body) }
      #expect(refused != nil)
      #expect(refused.map { "\($0.error)" } == expected.map { "\($0.error)" })
    }
    // Nothing has changed, and nothing is in the way.
    #expect(try await !bench.put(expanded("[A,B,C]")).isChanged)
  }

  @Test(arguments: [
    #"{"items":[A,B,C],"meta":[A]}"#, #"{"meta":{"x":A},"items":[A,B,C]}"#,
    #"[A,{"id":"d","more":[B,C]},B,C]"#,
    #"{"sections":[{"id":"a","items":[A,B]},{"id":"b","items":[C]}]}"#,
    #"{"sections":[{"id":"a","x":[A],"items":[C,B]},{"id":"b","items":[]},{"id":"c","items":[A]}]}"#,
    #"[C,B,A]"#, #"[ A , B,C ]"#, #"[A]"#, #"[]"#,
    #"{"items":[A,B,C],"settings":{"identity":"occurrence"}}"#,
    #"{"items":[A,B,C],"settings":null,"meta":null}"#,
  ])
  func `what is right is taken as if all had been read`(text: String) async throws {
    for isSpaced in [false, true] {
      let bench = try await ServiceBench.abc()
      let other = try await ServiceBench.abc(readsInFull: true)
      let body = expanded(text)
      let receipt = try await bench.put(isSpaced ? spaced(body) : body)
      let expected = try await other.put(body)
      #expect(other.knownItems == 0)
      #expect(receipt.version == expected.version)
      #expect(receipt.counts == expected.counts)
      #expect(try await bench.whole() == other.whole())
    }
  }

  @Test(arguments: [", ", ",\n  ", " ,\t"])
  func `items that are spaced are known as if they were not`(comma: String) async throws {
    let bench = ServiceBench(encoders: .whole)
    func text(_ changed: Int) -> String {
      let items = (0..<100).map {
        "{ \"id\" : \($0)\(comma)\"title\": \"Number, \($0 == changed ? -1 : $0)\" }"
      }
      return "[ " + items.joined(separator: comma) + " ]\n"
    }
    _ = try await bench.put(text(0))
    #expect(try await bench.put(text(40)).counts.reloaded == 2)
    #expect(bench.knownItems == 98)
  }

  @Test(
    arguments: [
      { id, n in "{\"n\":\(n),\"title\":\"é/😀\\n\",\"id\":\(id)}" },
      { id, n in "{\"id\":\(id),\"title\":\"\\u00e9\\/\\uD83d\\ude00\\u000A\",\"n\":\(n)}" },
    ] as [@Sendable (Int, Int) -> String])
  func `items in another order or with other escapes are the same, and shown as they came`(
    spelled: @Sendable (Int, Int) -> String
  ) async throws {
    let bench = ServiceBench(encoders: .whole)
    func text(_ item: (Int, Int) -> String, _ changed: Int) -> String {
      "[" + (0..<100).map { item($0, $0 == changed ? -1 : $0) }.joined(separator: ",") + "]"
    }
    _ = try await bench.put(text({ "{\"id\":\($0),\"title\":\"é/😀\\n\",\"n\":\($1)}" }, 0))
    #expect(try await bench.put(spaced(text(spelled, 40))).counts.reloaded == 2)
    #expect(bench.knownItems == 0)
    #expect(try await bench.whole() == "{\"id\":\"\"}" + text(spelled, 40))
  }

  @Test func `items are known wherever they move to`() async throws {
    let bench = ServiceBench(encoders: .whole)
    let list = (0..<400).map { "{\"id\":\($0),\"title\":\"Number \($0)\"}" }
    func text(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }
    _ = try await bench.put(text(list))
    let rotated = Array(list[200...] + list[..<200])
    _ = try await bench.put(text(rotated))
    #expect(bench.knownItems >= 360)
    #expect(try await bench.whole() == "{\"id\":\"\"}" + text(rotated))
    _ = try await bench.put(text(list.reversed()))
    #expect(bench.knownItems >= 720)
    // One that is there twice is found out.
    let error = await refusal { try await bench.put(text(list + [list[300]])) }
    let other = ServiceBench()
    let expected = await refusal { try await other.put(text(list + [list[300]])) }
    #expect(error.map { "\($0.error)" } == expected.map { "\($0.error)" })
    #expect(try await bench.whole() == "{\"id\":\"\"}" + text(list.reversed()))
  }

  @Test func `an item that is too large in other escapes is refused`() async throws {
    var limits = ServiceLimits()
    limits.itemBytesMax = 100
    let bench = ServiceBench(limits: limits)
    let items = (0..<9).map { "{\"id\":\($0),\"t\":\"" }
    func text(_ title: String) -> String {
      "[" + items.map { $0 + title + "\"}" }.joined(separator: ",") + "]"
    }
    _ = try await bench.put(text(String(repeating: "é", count: 40)))
    let error = await refusal {
      try await bench.put(text(String(repeating: "\\u00e9", count: 40)))
    }
    #expect(error.map { "\($0.error)" }?.contains("at most 100") == true)
  }

  @Test func `a snapshot that was read beside a head that is gone is read again`() async throws {
    // Large enough to be read away from the shard, so that two can be under way.
    let bench = ServiceBench(encoders: .whole)
    let list = (0..<2000).map { "{\"id\":\($0),\"title\":\"A title of some length, \($0)\"}" }
    _ = try await bench.put("[" + list.joined(separator: ",") + "]")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          var next = list
          next[number] = "{\"id\":\(number),\"by\":\(number)}"
          _ = try await bench.put("[" + next.joined(separator: ",") + "]")
        }
      }
      try await group.waitForAll()
    }
    // Each write was whole: but for one item, the list is what it was.
    let whole = try await bench.whole()
    #expect((0..<16).count { whole.contains("{\"id\":\($0),\"by\":\($0)}") } == 1)
    #expect(try await bench.put("[" + list.joined(separator: ",") + "]").counts.reloaded == 1)
  }

  @Test func `random edits of random lists come to the same`() async throws {
    let seed = UInt64.random(in: 1...999_999)
    var generator = SeededGenerator(seed: seed)
    var known = 0
    for round in 0..<40 {
      let bench = ServiceBench(encoders: .whole)
      let other = ServiceBench(encoders: .whole)
      _ = try await bench.put("[]")
      _ = try await other.put("{\"items\":[],\(readInFull)}")
      var lists = RandomSections(&generator)
      for step in 0..<25 {
        let text = lists.text(&generator)
        let receipt = try await bench.put(Bool.random(using: &generator) ? spaced(text) : text)
        let expected = try await other.put(text)
        #expect(receipt.version == expected.version, "seed \(seed), round \(round), step \(step)")
        #expect(receipt.counts == expected.counts, "seed \(seed), round \(round), step \(step)")
        let same = try await bench.whole() == other.whole()
        #expect(same, "seed \(seed), round \(round), step \(step)")
        lists.edit(&generator)
      }
      #expect(other.knownItems == 0)
      known += bench.knownItems
    }
    #expect(known > 10_000, "seed \(seed)")
  }

  private func expanded(_ text: String) -> String {
    // Items long enough that most of each text is theirs.
    let filler = String(repeating: "x", count: 60)
    var result = ""
    for character in text {
      switch character {
      case "A", "B", "C":
        let id = character.lowercased()
        result += "{\"id\":\"\(id)\",\"title\":\"\(filler)\",\"tags\":[{\"id\":1}]}"
      default: result.append(character)
      }
    }
    return result
  }
}

/// A setting by which every snapshot is read in full, and nothing else changes while ids are unique.
private let readInFull = #""settings":{"identity":"occurrence"}"#

/// The same JSON with white space in every object.
private func spaced(_ text: String) -> String {
  var bytes: [UInt8] = []
  var isString = false
  var isEscaped = false
  for byte in text.utf8 {
    bytes.append(byte)
    if isEscaped { isEscaped = false; continue }
    switch byte {
    case UInt8(ascii: "\""): isString.toggle()
    case UInt8(ascii: "\\"): isEscaped = isString
    case UInt8(ascii: "{") where !isString: bytes.append(UInt8(ascii: " "))
    case UInt8(ascii: ",") where !isString: bytes += Array("\n  ".utf8)
    default: break
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

extension ServiceBench {
  fileprivate var knownItems: Int { service.counters.knownItems.value }

  /// The content as it is kept, byte for byte.
  fileprivate func whole() async throws -> String {
    guard case .snapshot(_, let content, _) = try await delta(since: nil) else { return "" }
    return String(decoding: content.bytes, as: UTF8.self)
  }

  /// A collection of three items.
  fileprivate static func abc(readsInFull: Bool = false) async throws -> ServiceBench {
    let bench = ServiceBench(encoders: .whole)
    let filler = String(repeating: "x", count: 60)
    let items = ["a", "b", "c"].map {
      "{\"id\":\"\($0)\",\"title\":\"\(filler)\",\"tags\":[{\"id\":1}]}"
    }
    let settings = readsInFull ? ",\(readInFull)" : ""
    _ = try await bench.put("{\"items\":[" + items.joined(separator: ",") + "]\(settings)}")
    return bench
  }
}

extension AnswerEncoders {
  /// A snapshot as all of its bytes.
  fileprivate static let whole = AnswerEncoders(
    snapshot: { material, _ in
      var text: [UInt8] = []
      var flat = 0
      for (index, section) in material.sections.enumerated() {
        text += material.contents.header(ofSection: index)
        text.append(UInt8(ascii: "["))
        for place in section.items.indices {
          if place > 0 { text.append(UInt8(ascii: ",")) }
          text += material.contents.item(at: flat)
          flat += 1
        }
        text.append(UInt8(ascii: "]"))
      }
      return EncodedText(text + (material.contents.meta.map { Array($0) } ?? []))
    },
    delta: { _, _ in EncodedText([]) })
}

/// Sections of items with texts that are hard to tell from JSON, edited at random.
private struct RandomSections {
  private struct Section {
    var header: String
    var items: [String]
  }

  private var sections: [Section]
  private var nextID = 0
  private let isFlat: Bool
  private var meta = 0

  init(_ generator: inout SeededGenerator) {
    isFlat = Bool.random(using: &generator)
    sections = []
    for number in 0..<(isFlat ? 1 : Int.random(in: 1...6, using: &generator)) {
      sections.append(Section(header: "\"id\":\"s\(number)\"", items: []))
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        sections[number].items.append(newItem(&generator))
      }
    }
  }

  /// A text of the lists, in which items are written in one of many ways.
  func text(_ generator: inout SeededGenerator) -> String {
    let meta = meta > 0 ? ",\"meta\":{\"n\":\(meta)}" : ""
    let way = Int.random(in: 0..<4, using: &generator)
    func joined(_ items: [String]) -> String {
      items.map { respelled($0, way, &generator) }.joined(separator: ",")
    }
    if isFlat { return "{\"items\":[" + joined(sections[0].items) + "]\(meta)}" }
    let texts = sections.map { "{\($0.header),\"items\":[" + joined($0.items) + "]}" }
    return "{\"sections\":[" + texts.joined(separator: ",") + "]\(meta)}"
  }

  mutating func edit(_ generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...5, using: &generator) { editOnce(&generator) }
  }

  private mutating func editOnce(_ generator: inout SeededGenerator) {
    let from = Int.random(in: 0..<sections.count, using: &generator)
    let to = Int.random(in: 0..<sections.count, using: &generator)
    let place = sections[from].items.indices.randomElement(using: &generator)
    switch (Int.random(in: 0..<9, using: &generator), place) {
    case (0, let place?):
      let item = sections[from].items.remove(at: place)
      let end = sections[to].items.count
      sections[to].items.insert(item, at: Int.random(in: 0...end, using: &generator))
    case (1, let place?): sections[from].items.remove(at: place)
    case (2, let place?):
      let name = ["x", "t", "x\(nextID)", "long-prefix-\(nextID)"].randomElement(using: &generator)
      sections[from].items[place] =
        sections[from].items[place].dropLast() + ",\"\(name ?? "")\":\(nextID)}"
      nextID += 1
    case (3, _): sections.swapAt(from, to)
    case (4, _) where !isFlat:
      sections[from].header = sections[from].header + ",\"h\(nextID)\":\(nextID)"
      nextID += 1
    case (5, _): meta = Int.random(in: 0...2, using: &generator)
    case (7, _): sections[from].items.reverse()
    case (6, _) where Int.random(in: 0..<10, using: &generator) == 0:
      sections[from].items.removeAll()
    default:
      let end = sections[to].items.count
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        sections[to].items.insert(
          newItem(&generator), at: Int.random(in: 0...end, using: &generator))
      }
    }
  }

  private mutating func newItem(_ generator: inout SeededGenerator) -> String {
    nextID += 1
    let texts = [
      #""plain""#, #""\"},{\"id\":1""#, #"[{"id":1},{"id":2}]"#, #"{"a":{"b":[]}}"#, #""é\\""#,
      #""[{""#, "[[],{}]", "null", #""a/é\\/😀""#,
    ]
    let text = texts[Int.random(in: 0..<texts.count, using: &generator)]
    let id = Bool.random(using: &generator) ? "\(nextID)" : "\"i\\u0041\(nextID)\""
    return "{\"id\":\(id),\"t\":\(text)}"
  }
}

/// The same item, its members or some of its characters written in another way.
private func respelled(_ item: String, _ way: Int, _ generator: inout SeededGenerator) -> String {
  switch way {
  case 1: return "{" + members(of: item).shuffled(using: &generator).joined(separator: ",") + "}"
  case 2: return "{" + members(of: item).reversed().joined(separator: ",") + "}"
  case 3: return item.replacing("é", with: "\\u00e9").replacing("😀", with: "\\uD83D\\uDE00")
  default: return item
  }
}

/// The texts of an object's members.
private func members(of object: String) -> [String] {
  var members: [[UInt8]] = [[]]
  var (depth, isString, isEscaped) = (0, false, false)
  for byte in object.utf8.dropFirst().dropLast() {
    let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    if isQuote { isString.toggle() }
    if !isString, "{[".utf8.contains(byte) { depth += 1 }
    if !isString, "}]".utf8.contains(byte) { depth -= 1 }
    if !isString, depth == 0, byte == UInt8(ascii: ",") {
      members.append([])
    } else {
      members[members.count - 1].append(byte)
    }
  }
  return members.map { String(decoding: $0, as: UTF8.self) }
}
