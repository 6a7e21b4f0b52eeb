import HTTPTestSupport
import TestSupport

/// Edits as a writer makes them, and what they do to a list, said anew.
struct EditModel {
  private(set) var list: HeldList
  private(set) var edits: [String] = []

  /// Draws some edits that the list allows.
  init(_ list: HeldList, using random: inout SeededGenerator) {
    self.list = list
    for _ in 0..<Int.random(in: 1...4, using: &random) { edit(using: &random) }
  }

  /// The body of a PATCH.
  var body: String { #"{"edits":[\#(edits.joined(separator: ","))]}"# }

  private mutating func edit(using random: inout SeededGenerator) {
    guard let section = list.sections.indices.randomElement(using: &random) else {
      return insertSection(using: &random)
    }
    let place = list.sections[section].rows.indices.randomElement(using: &random)
    switch Int.random(in: 0..<11, using: &random) {
    case 0: insertSection(using: &random)
    case 1: updateSection(section, Int.random(in: 0..<3, using: &random))
    case 2: moveSection(section)
    case 3: if list.sections.count > 3 { deleteSection(section) }
    case 4...5: append(to: section, Int.random(in: 0..<1_000_000, using: &random))
    default:
      guard let place else { return append(to: section, Int.random(in: 0..<99, using: &random)) }
      editItem(section, place, using: &random)
    }
  }

  private mutating func editItem(
    _ section: Int, _ place: Int, using random: inout SeededGenerator
  ) {
    let row = list.sections[section].rows[place]
    let id = quoted(row.id)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      list.sections[section].rows.remove(at: place)
      edits.append(#"{"op":"delete","ids":[\#(id)]}"#)
    case 1:
      let value = Int.random(in: 0..<4, using: &random)
      list.sections[section].rows[place].content = row.content.with("n", .plain("\(value)"))
      edits.append(#"{"op":"merge","id":\#(id),"value":{"n":\#(value)}}"#)
    default:
      list.sections[section].rows.remove(at: place)
      let to = list.sections.indices.randomElement(using: &random) ?? section
      let isFirst = Bool.random(using: &random)
      list.sections[to].rows.insert(row, at: isFirst ? 0 : list.sections[to].rows.count)
      edits.append(
        #"{"op":"move","ids":[\#(id)],"section":\#(quoted(list.sections[to].id)),"#
          + #""\#(isFirst ? "first" : "last")":true}"#)
    }
  }

  private mutating func append(to section: Int, _ number: Int) {
    guard list.rowsByID["e\(number)"] == nil else { return }
    let content = JSONTree.object(["id": .string("e\(number)"), "n": .plain("0")])
    list.sections[section].rows.append(HeldList.Row(id: "e\(number)", content: content))
    edits.append(
      #"{"op":"append","section":\#(quoted(list.sections[section].id)),"items":[\#(content.text)]}"#
    )
  }

  private mutating func insertSection(using random: inout SeededGenerator) {
    let id = "x\(Int.random(in: 0..<1_000_000, using: &random))"
    guard list.sectionsByID[id] == nil else { return }
    let header = JSONTree.object(["id": .string(id)])
    list.sections.append(HeldList.Section(id: id, header: header, rows: []))
    edits.append(#"{"op":"insertSection","id":"\#(id)","last":true}"#)
  }

  private mutating func updateSection(_ section: Int, _ number: Int) {
    // The section that a flat list is has no header.
    if list.sections[section].id.isEmpty { return }
    list.sections[section].header = list.sections[section].header.with("sub", .plain("\(number)"))
    edits.append(
      #"{"op":"updateSection","id":\#(quoted(list.sections[section].id)),"value":{"sub":\#(number)}}"#
    )
  }

  private mutating func moveSection(_ section: Int) {
    let moved = list.sections.remove(at: section)
    list.sections.append(moved)
    edits.append(#"{"op":"moveSection","id":\#(quoted(moved.id)),"last":true}"#)
  }

  private mutating func deleteSection(_ section: Int) {
    let removed = list.sections.remove(at: section)
    edits.append(#"{"op":"deleteSection","id":\#(quoted(removed.id))}"#)
  }

  private func quoted(_ text: String) -> String { JSONTree.string(text).text }
}
