import TestSupport

@testable import VersionedCollections

/// The part of a view's list that a window shows, word by word from PROTOCOL §15.
struct SlowWindow {
  var total: Int
  var start = 0
  var count = 0
  var anchor: String?
  /// What is left of the sections; ids are numbered as a reader of this list numbers them.
  var sections: [ViewOracle.Section] = []
  /// The ids that items were sent with, by their numbered ids.
  var sentIDs: [String: String] = [:]
  /// The start and the total of each, within the whole section.
  var parts: [[Int]] = []

  init(
    _ view: ViewOracle, _ version: [ViewOracle.Section], _ window: ViewWindow?,
    after held: [ViewOracle.Section]?
  ) {
    let list = view.list(version)
    let flat = Self.numbered(list.flatMap(\.items).map(\.id))
    total = flat.count
    switch window {
    case nil: count = total
    case .first(let number): count = min(number, total)
    case .last(let number):
      count = min(number, total)
      start = total - count
    case .at(let index, let number):
      start = min(index, total)
      count = min(number, total - start)
    case .around(let id, let before, let after):
      let id = String(decoding: id, as: UTF8.self)
      if let place = Self.place(of: id, view, flat, held) {
        anchor = flat[place]
        let range = max(0, place - before)..<min(total, place + after + 1)
        (start, count) = (range.lowerBound, range.count)
      }
    }
    var position = 0
    for section in list {
      let places = section.items.indices.filter { start..<start + count ~= position + $0 }
      position += section.items.count
      if window != nil, places.isEmpty { continue }
      sections.append(.init(id: section.id, items: places.map { section.items[$0] }))
      parts.append([places.first ?? 0, section.items.count])
    }
    number()
  }

  /// Numbers the ids of what is left, as a reader does.
  private mutating func number() {
    let sectionIDs = Self.numbered(sections.map(\.id))
    var itemIDs = Self.numbered(sections.flatMap(\.items).map(\.id))[...]
    for section in sections.indices {
      sections[section].id = sectionIDs[section]
      for item in sections[section].items.indices {
        let id = itemIDs.removeFirst()
        sentIDs[id] = sections[section].items[item].id
        sections[section].items[item].id = id
      }
    }
  }

  /// The k-th of several equal ids is `id#k`.
  static func numbered(_ ids: [String]) -> [String] {
    ids.indices.map { index in
      let number = ids[...index].count { $0 == ids[index] }
      return number == 1 ? ids[index] : "\(ids[index])#\(number)"
    }
  }

  private static func place(
    of id: String, _ view: ViewOracle, _ flat: [String], _ held: [ViewOracle.Section]?
  ) -> Int? {
    if flat.isEmpty { return nil }
    if let place = flat.firstIndex(of: id) { return place }
    let shown = numbered(view.list(held ?? []).flatMap(\.items).map(\.id))
    guard let place = shown.firstIndex(of: id) else { return 0 }
    for neighbor in shown[..<place].reversed() + shown[(place + 1)...] {
      if let survivor = flat.firstIndex(of: neighbor) { return survivor }
    }
    return min(place, flat.count - 1)
  }
}
