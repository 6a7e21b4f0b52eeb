import LiveDeltaClient

/// The content of a version, as the judge knows it.
struct Page: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var id: String
    var text: String
  }

  struct Section: Hashable, Sendable {
    var id: String
    var items: [Item]
  }

  var sections: [Section] = []

  /// The body of a write of this page.
  var body: String {
    let parts = sections.map { section in
      #"{"id":"\#(section.id)","items":[\#(section.items.map(\.text).joined(separator: ","))]}"#
    }
    return #"{"sections":[\#(parts.joined(separator: ","))]}"#
  }

  var items: [Item] { sections.flatMap(\.items) }

  /// The operation that wrote it: each leaves its number in the item `w`.
  var operation: Int? {
    guard let text = items.first(where: { $0.id == "w" })?.text else { return nil }
    return Text(Array(text.utf8))?["op"]?.number
  }
}

extension Page {
  /// Reads a snapshot.
  init?(snapshot: Text) {
    guard let sections = snapshot["sections"]?.elements else { return nil }
    for section in sections {
      guard let id = section["id"]?.string, let items = section["items"]?.elements else {
        return nil
      }
      var list: [Item] = []
      for item in items {
        guard let id = item["id"]?.string, let source = item.source else { return nil }
        list.append(Item(id: id, text: source))
      }
      self.sections.append(Section(id: id, items: list))
    }
  }

  /// What a replica has.
  init(_ replica: CollectionReplica) {
    sections = replica.sections.map { section in
      Section(
        id: section.id.text,
        items: section.items.map {
          Item(id: $0.id.text, text: String(decoding: $0.json, as: UTF8.self))
        })
    }
  }

  /// Applies a delta of the dialect `splice` or `diffable`.
  ///
  /// - Returns: The page after it; nil if it does not apply.
  func applying(_ delta: Text) -> Page? {
    var texts: [String: String] = [:]
    for item in items { texts[item.id] = item.text }
    for (id, value) in delta["items"]?.members ?? [] {
      guard let source = value.source else { return nil }
      texts[id] = source
    }
    let lists = delta["added"] == nil ? arranged(delta) : spliced(delta)
    guard let lists else { return nil }
    var page = Page()
    for (id, ids) in lists {
      var section = Section(id: id, items: [])
      for id in ids {
        guard let text = texts[id] else { return nil }
        section.items.append(Item(id: id, text: text))
      }
      page.sections.append(section)
    }
    return page
  }

  private func arranged(_ delta: Text) -> [(String, [String])]? {
    guard let order = delta["order"]?.elements else { return nil }
    return order.compactMap { entry in
      guard let parts = entry.elements, parts.count == 2, let id = parts[0].string,
        let ids = parts[1].elements
      else { return nil }
      return (id, ids.compactMap(\.string))
    }
  }

  private func spliced(_ delta: Text) -> [(String, [String])]? {
    guard let order = delta["order"]?.elements, let removed = delta["removed"]?.elements,
      let added = delta["added"]?.elements
    else { return nil }
    let out = Set(removed.compactMap(\.string))
    var lists = order.compactMap(\.string).map { id in
      (id, sections.first { $0.id == id }?.items.map(\.id).filter { !out.contains($0) } ?? [])
    }
    for entry in added {
      guard let parts = entry.elements, parts.count == 3, let at = parts[1].number,
        let place = lists.firstIndex(where: { $0.0 == parts[0].string }), let id = parts[2].string,
        0...lists[place].1.count ~= at
      else { return nil }
      lists[place].1.insert(id, at: at)
    }
    return lists
  }
}

extension Page {
  /// What is wrong with a delta that leads to another page; nil if nothing is.
  ///
  /// `rest` are the ids of the collection that its reader may see, in the view or not.
  func fault(of delta: Text, to target: Page, rest: Set<String>) -> String? {
    if hasDuplicates || target.hasDuplicates { return "an item is there twice" }
    let old = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.text) })
    let new = Dictionary(uniqueKeysWithValues: target.items.map { ($0.id, $0.text) })
    let sent = Set((delta["items"]?.members ?? []).map(\.name))
    let changed = Set(new.filter { old[$0.key] != $0.value }.keys)
    if sent != changed { return "items \(sent.sorted()) instead of \(changed.sorted())" }
    let left = Set((delta["left"]?.elements ?? []).compactMap(\.string))
    let gone = Set(old.keys).subtracting(new.keys).subtracting(rest)
    let departed = Set(old.keys).subtracting(new.keys).intersection(rest)
    if left != departed { return "left \(left.sorted()) instead of \(departed.sorted())" }
    let deleted = Set((delta["deleted"]?.elements ?? []).compactMap(\.string))
    if deleted != gone { return "deleted \(deleted.sorted()) instead of \(gone.sorted())" }
    guard let added = delta["added"]?.elements else { return nil }
    let moves = added.count { old[$0.elements?[2].string ?? ""] != nil }
    let least = leastMoves(to: target)
    return moves == least ? nil : "\(moves) moves instead of \(least)"
  }

  private var hasDuplicates: Bool { Set(items.map(\.id)).count < items.count }

  /// The fewest items that must move: those that change their section, and of the others all but the
  /// longest common order.
  private func leastMoves(to target: Page) -> Int {
    var places: [String: (section: String, index: Int)] = [:]
    for section in sections {
      for (index, item) in section.items.enumerated() { places[item.id] = (section.id, index) }
    }
    var count = 0
    for section in target.sections {
      let known = section.items.compactMap { places[$0.id] }
      let kept = known.filter { $0.section == section.id }.map(\.index)
      var best: [Int] = []
      for (end, index) in kept.enumerated() {
        best.append(1 + ((0..<end).filter { kept[$0] < index }.map { best[$0] }.max() ?? 0))
      }
      count += known.count - (best.max() ?? 0)
    }
    return count
  }
}
