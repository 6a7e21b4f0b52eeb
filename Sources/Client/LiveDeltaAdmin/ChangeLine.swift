/// A line of text that describes a change or an element of the contents.
package struct ChangeLine: Hashable, Sendable, CustomStringConvertible {
  /// The kind of change.
  package enum Mark: String, Sendable {
    case inserted = "+"
    case deleted = "-"
    case moved = ">"
    case reloaded = "~"
    /// Not a change: a section or item of the contents.
    case content = ""
  }

  package var mark: Mark
  package var text: String
  /// Whether the change belongs to the one above, as an item of an inserted section does.
  package var isPart = false
  /// What changed within the item, a line for each member.
  package var details: [String] = []

  /// The line, indented.
  package var description: String {
    (isPart ? "    " : "  ") + (mark == .content ? "" : mark.rawValue + " ") + text
  }

  /// Returns the lines of an inserted section: the section, then its items.
  static func lines(inserting section: String, _ items: [String], at index: Int) -> [ChangeLine] {
    let head = "section \(index) \(section), \(counted(items.count, "item"))"
    return [ChangeLine(mark: .inserted, text: head)]
      + items.enumerated().map {
        ChangeLine(mark: .inserted, text: "[\(index), \($0)] \($1)", isPart: true)
      }
  }
}
