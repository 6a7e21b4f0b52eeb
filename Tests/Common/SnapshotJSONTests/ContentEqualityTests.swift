import SnapshotJSON
import TestSupport
import Testing

/// PROTOCOL §3: equality of content is that of JSON values; numbers compare by text.
struct ContentEqualityTests {
  static let equal: [(String, String)] = [
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"a":1}"#, "{ \"a\"\n:\t1 }"),
    (#""a""#, #""\u0061""#), (#""\n""#, #""\u000a""#), (#""\u000A""#, #""\u000a""#),
    (#""/""#, #""\/""#), (#""é""#, #""\u00e9""#), (#""😀""#, #""\ud83d\uDE00""#),
    (#"{"a":{"y":[1,{"q":1,"p":2}],"x":1}}"#, #"{"a":{"x":1,"y":[1,{"p":2,"q":1}]}}"#),
    (#"{"b":1,"\u0061":2}"#, #"{"a":2,"b":1}"#), (#""\"""#, #""\u0022""#), (#""\\""#, #""\u005C""#),
    (#"{"aaaaaaaab":1,"aaaaaaaaa":2}"#, #"{"aaaaaaaaa":2,"aaaaaaaab":1}"#),
    (#"{"a":1,"a\u0000":2}"#, #"{"a\u0000":2,"a":1}"#), (#""\b\f""#, #""\u0008\u000c""#),
    (#"{"":1,"a":2}"#, #"{"a":2,"":1}"#), (#"{"é":1,"z":2}"#, #"{"z":2,"\u00e9":1}"#),
  ]

  static let different: [(String, String)] = [
    ("1", "1.0"), ("1e0", "1"), ("1e5", "1E5"), ("0", "-0"), ("1", #""1""#), ("[1,2]", "[2,1]"),
    ("[]", "{}"), ("null", "false"), (#""""#, "null"), (#"{"a":null}"#, "{}"), ("[[]]", "[]"),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#),
    (#"["a","b"]"#, #"["a,b"]"#), (#"["a\",\"b"]"#, #"["a","b"]"#), (#""\\n""#, #""\n""#),
    (#"{"a":"b"}"#, #"{"b":"a"}"#), (#""é""#, "\"e\u{301}\""), (#""A""#, #""a""#),
    (#""a""#, #""a ""#),
    (#"{"a":{"b":1}}"#, #"{"a":{},"b":1}"#), (#""\\u0061""#, #""a""#), ("[1,null]", "[1]"),
  ]

  @Test(arguments: equal.indices)
  func `two spellings of one value have one hash`(row: Int) throws {
    let (one, other) = ContentEqualityTests.equal[row]
    #expect(try parse(one).contentHash() == parse(other).contentHash(), "\(one) \(other)")
    #expect(try parse("[\(one)]").contentHash() == parse("[\(other)]").contentHash())
  }

  @Test(arguments: different.indices)
  func `two values have two hashes`(row: Int) throws {
    let (one, other) = ContentEqualityTests.different[row]
    #expect(try parse(one).contentHash() != parse(other).contentHash(), "\(one) \(other)")
  }

  @Test func `an item's id is content as it is spelled`() throws {
    let number = try snapshot(#"[{"id":7}]"#)
    let string = try snapshot(#"[{"id":"7"}]"#)
    #expect(number.text(number.items[0].id) == string.text(string.items[0].id))
    #expect(number.items[0].content != string.items[0].content)
  }

  @Test func `respelling keeps the hash and the minified text, changing does not`() throws {
    let seed: UInt64 = 20_261_121
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let reader = JSONReader()
    for _ in 0..<3000 {
      let tree = JSONTree.random(depth: 4, using: &generator)
      let one = try reader.read(Array(tree.spelled(using: &generator).utf8)).root
      let other = try reader.read(Array(tree.spelled(using: &generator).utf8)).root
      #expect(one.contentHash() == other.contentHash(), "\(one.rawText)\n\(other.rawText)")
      let changed = tree.changed(using: &generator).spelled(using: &generator)
      let third = try reader.read(Array(changed.utf8)).root
      #expect(one.contentHash() != third.contentHash(), "\(one.rawText)\n\(changed)")
      let minified = try reader.read(one.minified()).root
      #expect(minified.contentHash() == one.contentHash())
      #expect(minified.minified() == one.minified())
    }
  }

  /// Items mostly have the same members as the one before, which are then not sorted again.
  @Test func `an item's hash does not depend on the items before`() throws {
    let seed: UInt64 = 20_261_122
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let pool = [
      "a", "b", "ab", "", "é", "\\u0062", "subtitle", "subtitles", "subtitlet", "common-prefix-1",
      "common-prefix-2", "a",
    ]
    let values = ["1", #""\u0041""#, #"{"b":1,"a":{"d":2,"c":[]}}"#, "[{}]", #"{"a":1,"a":2}"#]
    var names: [String] = []
    let texts = (0..<4000).map { index in
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: names = Array(pool.shuffled(using: &generator).prefix(index % 13))
      case 1: names = names.dropLast() + [names.last, "x"].compactMap(\.self).prefix(index % 3)
      default: break
      }
      let members = names.map { #""\#($0)":\#(values.randomElement(using: &generator) ?? "")"# }
      return "{" + (members + [#""id":\#(index)"#]).joined(separator: index % 7 == 0 ? ", " : ",")
        + "}"
    }
    for options in [
      SnapshotOptions(), SnapshotOptions(equalityIgnored: [JSONPointer(tokens: ["ab"])]),
    ] {
      let list = try snapshot("[" + texts.joined(separator: ",") + "]", options: options)
      for (item, text) in zip(list.items, texts) {
        #expect(
          try item.content == snapshot("[\(text)]", options: options).items[0].content, "\(text)")
      }
      guard options.equalityIgnored.isEmpty else { continue }
      for (item, text) in zip(list.items, texts) {
        #expect(try item.content == parse(text).contentHash(), "\(text)")
      }
    }
  }

  @Test func `an object with many members is sorted like a small one`() throws {
    var generator = SeededGenerator(seed: 3)
    let members = (0..<2000).map { #""common-prefix-\#($0 % 700)-\#($0)":\#($0)"# }
    let one = "{" + members.joined(separator: ",") + "}"
    let other = "{" + members.shuffled(using: &generator).joined(separator: " , ") + "}"
    #expect(try parse(one).contentHash() == parse(other).contentHash())
  }
}
