import SnapshotJSON

/// Display names of sections and items: the id, and the title if there is one.
struct Namer {
  private let reader = JSONReader(depthMax: 128)
  private let titleKeys = ["title", "name"]

  /// All sections and items, one a line.
  func outline(_ sections: [ReplicaSection]) -> [String] {
    sections.flatMap { section in
      ["\(name(section)), \(count(section.items.count, "item"))"]
        + section.items.map { "  \(name($0))" }
    }
  }

  func name(_ section: ReplicaSection) -> String {
    name(section.id.isEmpty ? "(unnamed)" : section.id, section.header)
  }

  func name(_ item: ReplicaItem) -> String { name(item.id, item.json) }

  func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private func name(_ id: String, _ json: [UInt8]) -> String {
    guard let value = try? reader.read(json).root else { return id }
    let title = titleKeys.lazy.compactMap { value[$0]?.string }.first { $0 != id }
    return title.map { "\(id) \"\($0)\"" } ?? id
  }
}
