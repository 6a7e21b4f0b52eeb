import LiveDeltaClient
import SnapshotJSON

/// Formats the display names of sections and items: the id, and the title if there is one.
struct Namer {
  private let reader = JSONReader(depthMax: 128, isPortable: true)
  private let titleKeys = ["title", "name"]

  /// Returns all sections and items, one per line.
  func outline(_ sections: [ReplicaSection]) -> [String] {
    sections.flatMap { section in
      ["\(name(section)), \(counted(section.items.count, "item"))"]
        + section.items.map { "  \(name($0))" }
    }
  }

  func name(_ section: ReplicaSection) -> String {
    name(section.id == "" ? "(unnamed)" : section.id.text, section.header)
  }

  func name(_ item: ReplicaItem) -> String { name(item.id.text, item.json) }

  /// Describes which members of an item changed: `title: "Trip" → "Trip to Rome"`.
  func changes(from old: [UInt8], to new: [UInt8]) -> [String] {
    guard let old = reader.root(of: old), let new = reader.root(of: new) else { return [] }
    let changed = new.members.compactMap { name, value -> String? in
      let before = old[name]?.rawText
      return before == value.rawText ? nil : "\(name): \(short(before)) → \(short(value.rawText))"
    }
    let removed = old.members.filter { new[$0.0] == nil }.map { name, value in
      "\(name): \(short(value.rawText)) → nothing"
    }
    return (changed + removed).map(\.printable)
  }

  private func short(_ json: String?) -> String {
    guard let json else { return "nothing" }
    return json.count > 60 ? json.prefix(59) + "…" : json
  }

  private func name(_ id: String, _ json: [UInt8]) -> String {
    guard let value = reader.root(of: json) else { return id.printable }
    let title = titleKeys.lazy.compactMap { value[$0]?.string }.first { $0 != id }
    return (title.map { "\(id) \"\($0)\"" } ?? id).printable
  }
}

/// Formats a number with a noun: `1 item`, `2 items`.
package func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

extension String {
  /// The string with characters that control a terminal escaped, such as `\u001b`.
  ///
  /// These are control characters, line and paragraph separators, and bidirectional controls.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isObeyed) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      guard scalar.isObeyed else { return text.unicodeScalars.append(scalar) }
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
