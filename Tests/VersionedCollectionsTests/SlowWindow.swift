import TestSupport

@testable import VersionedCollections

/// The part of a view's list that a window shows, word by word from PROTOCOL §15.
struct SlowWindow {
  var total: Int
  var start = 0
  var count = 0
  var anchor: String?
  /// What is left of the sections.
  var sections: [ViewOracle.Section] = []
  /// The start and the total of each, within the whole section.
  var parts: [[Int]] = []

  init(
    _ view: ViewOracle, _ version: [ViewOracle.Section], _ window: ViewWindow?,
    after held: [ViewOracle.Section]?
  ) {
    let list = view.list(version)
    let flat = list.flatMap(\.items).map(\.id)
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
      if let place = Self.place(of: id, view, version, flat, held) {
        anchor = flat[place]
        let range = max(0, place - before)..<min(total, place + after + 1)
        (start, count) = (range.lowerBound, range.count)
      }
    }
    let shown = Set(flat[start..<start + count])
    for section in list {
      let places = section.items.indices.filter { shown.contains(section.items[$0].id) }
      if window != nil, places.isEmpty { continue }
      sections.append(.init(id: section.id, items: places.map { section.items[$0] }))
      parts.append([places.first ?? 0, section.items.count])
    }
  }

  private static func place(
    of id: String, _ view: ViewOracle, _ version: [ViewOracle.Section], _ flat: [String],
    _ held: [ViewOracle.Section]?
  ) -> Int? {
    if flat.isEmpty { return nil }
    if let place = flat.firstIndex(of: id) { return place }
    for known in [version, held ?? []] {
      // Those in the view in its order, and the item itself, or, where it is not in the view, in the version's own.
      let shown = view.list(known).flatMap(\.items).map(\.id)
      let own = known.flatMap(\.items).filter { view.isAllowed($0) }.map(\.id)
      guard own.contains(id) else { continue }
      let order = shown.contains(id) ? shown : own.filter { $0 == id || shown.contains($0) }
      let place = order.firstIndex(of: id) ?? 0
      let neighbors = order[..<place].reversed() + order[(place + 1)...]
      for neighbor in neighbors {
        if let survivor = flat.firstIndex(of: neighbor) { return survivor }
      }
      return min(place, flat.count - 1)
    }
    return 0
  }
}
