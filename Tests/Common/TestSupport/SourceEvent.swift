/// An event as an `EventSource` gives it to a page.
package struct SourceEvent: Hashable, Sendable {
  package var name = ""
  package var id: String?
  package var data = ""

  /// Its data; `missing` if they are not JSON.
  package var json: JSONTree { JSONTree(Array(data.utf8)) }

  /// Reads the lines of an event; nil if it has no name, as with `retry` fields.
  package init?(_ lines: String) {
    for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
      ).map { String(Substring($0)) }
      let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      switch parts[0] {
      case "event": name = value
      case "id": id = value
      case "data": data = value
      default: continue
      }
    }
    if name.isEmpty { return nil }
  }
}
