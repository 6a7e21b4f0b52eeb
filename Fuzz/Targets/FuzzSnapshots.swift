@testable import CollectionService
@testable import SnapshotJSON
@testable import VersionedCollections

/// Reads a text as JSON, and what is JSON as a snapshot by the settings on the first line.
///
/// JSON that is accepted says the same when it is written minified. A snapshot that is accepted keeps
/// its limits, names every item once, and reads back the same from the document that readers get.
func fuzzSnapshots(_ input: [UInt8]) {
  let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
  guard let body = lines.last else { return }
  let reader = JSONReader(depthMax: Small.limits.depthMax)
  guard let root = checkedJSON(Array(body), reader) else { return }
  var settings = CollectionSettings()
  if lines.count > 1, let value = try? reader.readStrictly(Array(lines[0])) {
    settings = (try? CollectionSettings(value)) ?? settings
  }
  guard
    let snapshot = try? Snapshot.read(
      root, limits: Small.limits.snapshot, options: settings.options)
  else { return }
  checkLimits(snapshot)
  guard settings.itemsPath == .items, settings.sectionsPath == .sections else { return }
  let document = Contents(snapshot).document(of: snapshot)
  guard let again = try? reader.read(document).root,
    let copy = try? Snapshot.read(again, limits: Small.limits.snapshot, options: settings.options)
  else { fatalError("refused again: \(String(decoding: document, as: UTF8.self))") }
  check(copy.sections.map(copy.summary) == snapshot.sections.map(snapshot.summary), "sections")
  check(copy.items.map(copy.summary) == snapshot.items.map(snapshot.summary), "items")
}

/// Reads JSON, and checks that its minified text is JSON of the same content.
private func checkedJSON(_ text: [UInt8], _ reader: JSONReader) -> JSONValue? {
  let document: JSONDocument
  do throws(JSONError) {
    document = try reader.read(text)
  } catch {
    switch error {
    case .syntax(let offset, _), .halfCharacter(let offset, _, _):
      check(0...text.count ~= offset, "a fault at \(offset) of \(text.count)")
    case .tooDeep, .tooLarge: break
    }
    return nil
  }
  let minified = document.root.minified()
  guard let again = try? reader.read(minified).root else { fatalError("minified is no JSON") }
  check(again.minified() == minified, "minified twice")
  check(again.contentHash() == document.root.contentHash(), "another content when minified")
  return document.root
}

private func checkLimits(_ snapshot: Snapshot) {
  let limits = Small.limits
  check(snapshot.items.count <= limits.itemsMax, "\(snapshot.items.count) items")
  check(snapshot.sections.count <= limits.sectionsMax, "\(snapshot.sections.count) sections")
  let suffix = Snapshot.occurrenceSuffixMax
  for item in snapshot.items {
    check(1...limits.idBytesMax + suffix ~= item.id.count, "an id of \(item.id.count) bytes")
    check(item.json.count <= limits.itemBytesMax, "an item of \(item.json.count) bytes")
  }
  check(Set(snapshot.items.map { snapshot.bytes($0.id) }).count == snapshot.items.count, "twice")
  check(snapshot.sections.reduce(0) { $0 + $1.items.count } == snapshot.items.count, "lost items")
}

extension Contents {
  /// The document that readers of a snapshot get.
  fileprivate func document(of snapshot: Snapshot) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(snapshot.isFlat ? "items" : "sections")
    writer.beginArray()
    for (index, section) in snapshot.sections.enumerated() {
      guard snapshot.isFlat else {
        writer.raw(self.section(index, items: section.items))
        continue
      }
      for item in section.items { writer.raw(self.item(at: item)) }
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// A section's JSON object with its items, of which the header is all but the last member.
  private func section(_ index: Int, items: Range<Int>) -> [UInt8] {
    Array(header(ofSection: index).dropLast()) + Array(",\"items\":[".utf8)
      + items.map { Array(item(at: $0)) }.joined(separator: Array(",".utf8)) + Array("]}".utf8)
  }
}

extension Snapshot {
  fileprivate func summary(_ section: Section) -> String {
    "\(text(section.id)) \(section.content) \(section.items) \(text(section.header))"
  }

  fileprivate func summary(_ item: Item) -> String {
    "\(text(item.id)) \(item.content) \(text(item.json))"
  }
}
