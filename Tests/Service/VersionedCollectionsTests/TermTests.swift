import SnapshotJSON
import Testing

@testable import VersionedCollections

/// What terms say of one item, operator by operator.
@Suite struct TermTests {
  static let item = #"""
    {"id":"a","n":1.0,"big":1e999999999,"small":-0.5,"zero":-0,"t":"caf\u00e9","s":"b\"c","e":"","yes":true,"none":null,"list":[1,"x",{"k":1.0,"l":[]}],"in":{"a":{"b":7},"c/d":1,"m~n":2},"n2":9007199254740993}
    """#

  /// Terms that the item satisfies.
  static let holding = [
    "/n:eq:1", "/n:eq:10e-1", "/n:eq:0.1e1", "/n:eq:1.00", "/n:ne:2", #"/n:ne:"1""#, "/n:lt:1.1",
    "/n:le:1", "/n:ge:1", "/n:gt:0.999999999999999999999", "/n:in:[3,1]", "/n:exists",
    "/big:eq:1e999999999", "/big:gt:9e999999998", "/big:lt:1e99999999999999999999",
    "/big:eq:10e999999998", "/big:gt:-1e99999999999999999999", "/small:lt:0", "/small:gt:-0.51",
    "/zero:eq:0", "/zero:eq:0.0e5", "/n2:gt:9007199254740992", "/n2:lt:9007199254740994",
    "/n2:eq:9007199254740993.0", "/t:eq:café", #"/t:eq:"caf\u00e9""#, "/t:prefix:caf",
    "/t:prefix:café",
    #"/t:prefix:"""#, "/t:prefix:", "/t:gt:caf", "/t:lt:cag", #"/s:eq:b"c"#, #"/s:prefix:b""#,
    "/e:eq:",
    #"/e:eq:"""#, "/e:lt:a", "/yes:eq:true", "/yes:ne:false", "/yes:ne:1", "/yes:exists",
    "/none:eq:null", "/none:exists", "/none:ne:0", "/list:has:1", "/list:has:1.0", "/list:has:x",
    #"/list:has:{"l":[],"k":1}"#, #"/list:eq:[1.0,"x",{"l":[],"k":1}]"#, "/list:ne:[1]",
    "/list/1:eq:x", "/list/2/k:eq:1", "/in/a/b:eq:7", "/in/c~1d:eq:1", "/in/m~0n:eq:2",
    #"/in:eq:{"m~n":2.0,"c/d":1,"a":{"b":7}}"#, "/in/a:exists", "/missing:absent", "/missing:ne:1",
    "/missing:ne:null", "/in/a/b/c:absent", "/list/3:absent", "/list/01:absent", "/list/-:absent",
    ":exists", #"/n:in:["1",1]"#, #"/t:in:["café"]"#, #"/list:in:[[],[1,"x",{"k":1,"l":[]}]]"#,
    #"/yes:in:[true]"#, "/id:eq:a", "/t:ge:café", "/t:le:café",
  ]

  /// Terms that it does not satisfy.
  static let failing = [
    "/n:eq:2", #"/n:eq:"1""#, "/n:ne:1", "/n:ne:1.0", "/n:lt:1", "/n:gt:1", "/n:le:0.9",
    "/n:ge:1.1",
    #"/n:lt:"2""#, #"/n:gt:"0""#, "/n:in:[]", #"/n:in:["1"]"#, "/n:absent", "/n:has:1",
    #"/n:prefix:"1""#,
    "/big:eq:1e999999998", "/big:lt:1e999999999", "/big:gt:1e99999999999999999999", "/small:gt:0",
    "/n2:eq:9007199254740992", "/t:eq:cafe", "/t:gt:1", "/t:lt:1", "/t:prefix:cafés", "/t:has:c",
    "/t:lt:café", "/t:gt:café", "/s:prefix:c", "/yes:eq:false", "/yes:eq:1", #"/yes:eq:"true""#,
    "/yes:absent", "/none:absent", "/none:eq:0", "/none:eq:false", "/none:lt:1", "/list:has:2",
    "/list:has:[]", #"/list:has:{"k":1}"#, "/list:eq:[]", "/list:gt:0", "/list:prefix:x",
    #"/in:eq:{"a":{"b":7}}"#, "/in/a:eq:7", "/in:has:1", "/missing:exists", "/missing:eq:null",
    "/missing:lt:1", "/missing:in:[null]", "/missing:prefix:", "/missing:has:1", ":absent",
    "/list/3:exists", "/list/01:exists", "/in/c/d:exists", "/none:in:[0]", "/e:gt:",
  ]

  @Test(arguments: holding) func `the item satisfies`(term: String) throws {
    #expect(try holds(term, Self.item))
  }

  @Test(arguments: failing) func `the item does not satisfy`(term: String) throws {
    #expect(try !holds(term, Self.item))
  }

  @Test(arguments: [
    ("/n,/o/a", #"{"n":1,"id":"a","o":{"a":[1]}}"#),
    ("/o/b,/o/z,/list/0", #"{"id":"a","o":{"b":{"c":2}}}"#),
    ("/o/z,/n/x", #"{"id":"a","o":{}}"#), ("/o,/o/a", #"{"id":"a","o":{"a":[1],"b":{"c":2}}}"#),
    ("/list,/list/0", #"{"id":"a","list":[1,{"k":1}]}"#),
    ("/o/b/c", #"{"id":"a","o":{"b":{"c":2}}}"#),
    ("/x~1y", #"{"id":"a","x\/y":"\u00e9"}"#), ("/missing", #"{"id":"a"}"#),
  ]) func `an item is reduced to what is selected`(select: String, expected: String) throws {
    let item =
      #"{"n":1,"id":"a","o":{"a":[1],"b":{"c":2}},"list":[1,{"k":1}],"x\/y":"\u00e9","o2":{}}"#
    let selection = try #require(ViewQuery([("select", select)]).view.selection)
    var projection = ItemProjection(selection.adding(.id))
    let text = projection(Array(item.utf8)[...])
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    ("where", "/seen:gt:5", true), ("where", "/seen/at:gt:5", true), ("where", "/o:exists", true),
    ("where", "/o/x:exists", true), ("where", "/o/y:exists", false), ("order", "/seen", true),
    ("order", "/o/y", false), ("select", "/seen", false), ("where", "/see:exists", false),
  ]) func `a view asks for what equality ignores`(name: String, text: String, asks: Bool) throws {
    var settings = CollectionSettings()
    settings.equalityIgnored = ["/seen", "/o/x", ""].compactMap { JSONPointer($0) }
    let view = try ViewQuery([(name, text)]).view
    #expect(CompiledView(view, settings).asksForIgnored == asks)
    #expect(!CompiledView(view, CollectionSettings()).asksForIgnored)
    guard name == "where" else { return }
    let imposed = View.whole.restricted(by: try ViewRestriction([(name, text)]))
    #expect(CompiledView(imposed, settings).asksForIgnored == asks)
  }

  @Test func `the last of several members with one name counts`() throws {
    let item = #"{"id":"a","x":{"y":1},"x":{"z":2},"\u0078":{"w":3}}"#
    #expect(try holds("/x/w:eq:3", item))
    #expect(try holds("/x/y:absent", item))
    #expect(try holds("/x/z:absent", item))
  }

  @Test func `all terms of a view must hold`() throws {
    #expect(try holds(["/n:eq:1", "/yes:eq:true"], Self.item))
    #expect(try !holds(["/n:eq:1", "/yes:eq:false"], Self.item))
  }

  private func holds(_ text: String, _ item: String) throws -> Bool { try holds([text], item) }

  private func holds(_ texts: [String], _ item: String) throws -> Bool {
    let reader = JSONReader()
    var terms = ItemTerms(
      try texts.map { try ViewParameter("where", 0, $0, ViewLimits()).term(reader) })
    return terms.hold(for: Array(item.utf8)[...], reader)
  }
}
