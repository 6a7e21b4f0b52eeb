import SnapshotJSON

@testable import CollectionService
@testable import VersionedCollections

/// Makes a write of each line, in order, over a store that reads back all it is given.
///
/// The first byte of a line says what it is: `=` a snapshot, `+` edits, `*` settings, `%` a merge
/// patch of settings, `-` a deletion, `!` a restart. What a snapshot makes does not depend on what was
/// there before, and a restart changes nothing that readers see.
func fuzzWrites(_ input: [UInt8]) {
  let host = Host()
  for line in input.split(separator: UInt8(ascii: "\n")).prefix(8) {
    let body = Array(line.dropFirst())
    switch line.first {
    case UInt8(ascii: "="): host.write(.put(body: body))
    case UInt8(ascii: "+"): host.write(.edit(body: body))
    case UInt8(ascii: "*"): host.write(.settings(body: body, isPatch: false))
    case UInt8(ascii: "%"): host.write(.settings(body: body, isPatch: true))
    case UInt8(ascii: "-"): host.write(.delete)
    case UInt8(ascii: "!"): restart(host)
    default: return
    }
  }
  restart(host)
}

private func restart(_ host: Host) {
  let before = host.content
  host.restart()
  check(host.content == before, "another content after a restart")
}

/// Applies edits to a collection of two sections, together and one after the other: what each makes
/// on what the one before left, all must make at once.
func fuzzEdits(_ input: [UInt8]) {
  guard let root = try? JSONReader().read(input).root, let list = root["edits"],
    list.kind == .array
  else { return }
  let edits = Array(list.elements)
  let (whole, single) = (Host(), Host())
  whole.write(.put(body: start))
  single.write(.put(body: start))
  let isAccepted = whole.write(.edit(body: input))
  var isEachAccepted = true
  for edit in edits.prefix(Small.limits.editsMax) where isEachAccepted {
    let body = Array(#"{"edits":["#.utf8) + edit.minified() + Array("]}".utf8)
    isEachAccepted = single.write(.edit(body: body))
  }
  // What passes a limit on the way may come back under it; a reload forces another hash each time.
  guard isEachAccepted, edits.count <= Small.limits.editsMax else { return }
  check(isAccepted, "each edit is accepted, all are not")
  check(whole.content == single.content, "each edit makes another content than all")
  restart(whole)
}

private let start = Array(
  """
  {"sections":[{"id":"s","title":"S","items":[{"id":"a"},{"id":"b","n":{"x":1}},{"id":3}]},\
  {"id":"t","items":[{"id":"d","l":[1,2]},{"id":"e"}]}],"meta":{"m":[1]}}
  """.utf8)

/// Takes the input as a collection's settings, and reads, writes and patches by them.
func fuzzSettings(_ input: [UInt8]) {
  guard let root = try? JSONReader().readStrictly(input), let read = try? CollectionSettings(root)
  else { return }
  var writer = JSONWriter()
  writer.write(read, limits: nil)
  guard let value = try? JSONReader().readStrictly(writer.bytes),
    let again = try? CollectionSettings(value)
  else { fatalError("written settings are refused") }
  check(again == read, "other settings when written")
  let host = Host()
  let items = Array(
    """
    [{"id":"a","k":"x","n":2,"d":"2026-01-01"},{"id":"b","k":"y","n":-1,"l":[{"id":1,"v":0}]},\
    {"id":"c","k":"x","n":1e400}]
    """.utf8)
  host.write(.put(body: items))
  host.write(.settings(body: input, isPatch: false))
  host.write(.put(body: Array(items.dropLast(2)) + Array(#","new":true}]"#.utf8)))
  host.write(.edit(body: Array(#"{"edits":[{"op":"move","ids":["a"],"after":"b"}]}"#.utf8)))
  host.write(.settings(body: input, isPatch: true))
  restart(host)
  host.write(.put(body: items))
}
