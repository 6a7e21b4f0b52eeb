import HTTPTestSupport
import TestSupport

/// What a version shows, in a text that is equal for equal content.
struct KnownContent: Hashable, Sendable {
  /// Sections, items and `meta`.
  var whole: String?
  /// Items and `meta` alone: all that a reader of flat rows knows.
  var rows: String

  /// Everything that is shown; members of items that the collection is told to ignore are left out.
  init(_ list: HeldList, ignoring ignored: Set<String> = []) {
    self.init(rowsOf: list, ignoring: ignored)
    whole =
      list.sections.map { section in
        "\(section.id)\(section.header.text):"
          + section.rows.map { Self.text($0, ignored) }.joined(separator: "|")
      }.joined(separator: "\n") + "\n\(list.meta?.text ?? "-")"
  }

  /// What is shown of flat rows.
  init(rowsOf list: HeldList, ignoring ignored: Set<String> = []) {
    rows =
      list.flatRows.map { Self.text($0, ignored) }.joined(separator: "|")
      + "\n\(list.meta?.text ?? "-")"
  }

  /// Whether both may be the same version.
  func fits(_ other: KnownContent) -> Bool {
    guard let whole, let theirs = other.whole else { return rows == other.rows }
    return whole == theirs
  }

  private static func text(_ row: HeldList.Row, _ ignored: Set<String>) -> String {
    let content = ignored.reduce(row.content) { $0.without($1) }
    return "\(row.id)=\(content.text)"
  }
}

/// A version's token, taken apart by one who may: a judge, not a client.
struct TokenParts: Hashable, Sendable {
  var lineage: Substring
  var seq: Int

  init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let seq = Int(parts[1]), token.utf8.count <= 64 else { return nil }
    lineage = parts[0]
    self.seq = seq
  }
}

extension HeldList {
  /// The k-th item of an id is `id#k` (PROTOCOL §3), as deltas show it.
  var withOccurrences: HeldList {
    var result = self
    var counts: [String: Int] = [:]
    for section in sections.indices {
      for row in sections[section].rows.indices {
        let id = sections[section].rows[row].id
        let count = counts[id, default: 0] + 1
        counts[id] = count
        if count > 1 { result.sections[section].rows[row].id = "\(id)#\(count)" }
      }
    }
    return result
  }
}
