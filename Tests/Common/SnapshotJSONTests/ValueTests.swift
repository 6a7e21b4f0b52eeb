import SnapshotJSON
import TestSupport
import Testing

struct ValueTests {
  @Test func `values tell their kind and content`() throws {
    let value = try parse(
      #"{"s":"a\n\u00e9😀","i":-12,"d":1.5,"big":99999999999999999999,"t":true,"f":false,"n":null,"a":[1,[2],{"x":3}],"o":{}}"#
    )
    #expect(value.kind == .object)
    #expect(value["s"]?.string == "a\né😀")
    #expect(value["s"]?.rawText == #""a\n\u00e9😀""#)
    #expect(value["i"]?.int == -12)
    #expect(value["d"]?.int == nil)
    #expect(value["d"]?.rawText == "1.5")
    #expect(value["d"]?.isInteger == false)
    #expect(value["big"]?.isInteger == true)
    #expect(value["big"]?.int == nil)
    #expect(value["t"]?.bool == true)
    #expect(value["f"]?.bool == false)
    #expect(value["n"]?.isNull == true)
    #expect(value["n"]?.bool == nil)
    #expect(value["a"]?.elements.map(\.rawText) == ["1", "[2]", #"{"x":3}"#])
    #expect(value["o"]?.members.map(\.key) == [])
    #expect(value["missing"] == nil)
    #expect(value["a"]?["x"] == nil)
    #expect(value.members.map(\.key) == ["s", "i", "d", "big", "t", "f", "n", "a", "o"])
    #expect(value["s"]?.elements.map(\.rawText) == [])
  }

  @Test func `of members with one name the last is found`() throws {
    #expect(try parse(#"{"a":1,"\u0061":2}"#)["a"]?.int == 2)
  }

  /// RFC 6901 §5.
  @Test func `a pointer finds what RFC 6901 says`() throws {
    let value = try parse(
      ##"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"##
    )
    let rows = [
      ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
      ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
    ]
    for (pointer, text) in rows {
      #expect(value.value(at: pointer)?.rawText == text)
      #expect(JSONPointer(pointer)?.description == pointer)
    }
    #expect(value.value(at: "")?.kind == .object)
    for pointer in [
      "/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/0/x", "foo", "/m~n", "/a~2b", "/~",
    ] {
      #expect(value.value(at: pointer) == nil, "\(pointer)")
    }
    #expect(try parse("[[7]]").value(at: "/0/0")?.int == 7)
    #expect(try parse("[]").value(at: "/99999999999999999999999") == nil)
  }

  @Test func `minifying changes nothing but white space`() throws {
    let value = try parse(" { \"a\" : [ 1 , \"b c\\u0041\" , { } , [ ] ] ,\n\"d\" : -1.50E+2 } ")
    #expect(
      String(decoding: value.minified(), as: UTF8.self)
        == #"{"a":[1,"b c\u0041",{},[]],"d":-1.50E+2}"#)
    #expect(
      String(decoding: value["a"]?.minified() ?? [], as: UTF8.self) == #"[1,"b c\u0041",{},[]]"#)
  }

  @Test func `a value outlives its document and its reader`() throws {
    func inner() throws -> JSONValue? { try parse(#"{"a":{"b":"c"}}"#).value(at: "/a/b") }
    #expect(try inner()?.string == "c")
  }
}

struct WriterTests {
  @Test func `commas and colons stand where they belong`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.number(1)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.string("x")
    writer.null()
    writer.endArray()
    writer.key("b\"" + "c")
    writer.bool(true)
    writer.key(utf8: Array("é".utf8)[...])
    writer.raw(Array(#"{"z":0}"#.utf8))
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"a":[1,{},[],"x",null],"b\"c":true,"é":{"z":0}}"#)
  }

  @Test(arguments: [0, 7, -7, 10, 12_345, .max, .min])
  func `integers are written in full`(value: Int) {
    var writer = JSONWriter()
    writer.number(value)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == String(value))
  }

  @Test func `a string is read back as it was, whatever it holds`() throws {
    let all = (0...0x2FF).compactMap(UnicodeScalar.init).map(String.init).joined() + "😀\u{2028}"
    for text in ["", all, "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}", "plain", "\\", "a\u{0}"] {
      var writer = JSONWriter()
      writer.string(text)
      #expect(try JSONReader().read(writer.bytes).root.string == text)
      var other = JSONWriter()
      other.string(utf8: Array(text.utf8))
      #expect(other.bytes == writer.bytes)
    }
    var writer = JSONWriter()
    writer.string("a\"\\\n\u{1}é/")
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #""a\"\\\n\u0001é/""#)
  }

  /// A reader uses the memory of documents again that nobody has.
  @Test func `the next texts of a reader leave its documents as they are`() throws {
    var generator = SeededGenerator(seed: 20_261_123)
    let reader = JSONReader()
    var documents: [(text: String, document: JSONDocument)] = []
    for _ in 0..<2000 {
      let elements = (0..<Int.random(in: 0..<200, using: &generator)).map { #"{"n":[\#($0)]}"# }
      let text = "[" + elements.joined(separator: ",") + "]"
      documents.append((text, try reader.read(Array(text.utf8))))
      while documents.count > Int.random(in: 0..<5, using: &generator) {
        let (text, document) = documents.remove(
          at: Int.random(in: 0..<documents.count, using: &generator))
        #expect(
          document.root.elements.map(\.rawText).joined(separator: ",")
            == text.dropFirst().dropLast())
        #expect(try document.root.contentHash() == parse(text).contentHash())
      }
    }
  }
}
