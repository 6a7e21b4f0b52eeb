/// A line of a text view: an operation, or a part of the content.
package struct ChangeLine: Hashable, Sendable, CustomStringConvertible {
  /// What the line tells.
  package enum Mark: String, Sendable {
    case inserted = "+"
    case deleted = "-"
    case moved = ">"
    case reloaded = "~"
    /// No operation: a section or an item as it is.
    case content = ""
  }

  package var mark: Mark
  package var text: String
  /// Whether the operation is part of the one above: an item of an inserted section.
  package var isPart = false

  /// The line, indented.
  package var description: String {
    (isPart ? "    " : "  ") + (mark == .content ? "" : mark.rawValue + " ") + text
  }

  /// The lines of an inserted section: the section, then the items that it comes with.
  static func lines(inserting section: String, _ items: [String], at index: Int) -> [ChangeLine] {
    let head = "section \(index) \(section), \(counted(items.count, "item"))"
    return [ChangeLine(mark: .inserted, text: head)]
      + items.enumerated().map {
        ChangeLine(mark: .inserted, text: "[\(index), \($0)] \($1)", isPart: true)
      }
  }
}
