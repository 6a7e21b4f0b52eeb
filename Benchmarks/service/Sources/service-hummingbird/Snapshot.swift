import Foundation

/// An item as the benchmark makes it: a type of its own is the fastest that Foundation's coders do.
struct Item: Codable, Equatable, Sendable {
  var id: String
  var title: String
  var subtitle: String
  var price: Double
  var unread: Bool
}

struct Section: Codable, Equatable, Sendable {
  var id: String
  var title: String?
  var items: [Item]
}

struct Snapshot: Codable, Sendable {
  var sections: [Section]
}

/// What a writer is told.
struct Receipt: Encodable {
  struct Counts: Encodable {
    var inserted = 0
    var deleted = 0
    var moved = 0
    var reloaded = 0
  }

  var version: String
  var seq: Int
  var previous: String?
  var changed: Bool
  var counts: Counts
}

/// What differs between two snapshots, as `CollectionDifference` tells it.
struct Delta: Encodable {
  let kind = "delta"
  var from = ""
  var to = ""
  var seq = 0
  var order: [String] = []
  var differences: [String: CollectionDifference<String>] = [:]
  var changed: [String] = []
  var items: [String: Item] = [:]
  var deleted: [String] = []

  init(from old: Snapshot, to new: Snapshot) {
    let before = Dictionary(old.sections.map { ($0.id, $0) }) { $1 }
    var held: [String: Item] = [:]
    for section in old.sections { for item in section.items { held[item.id] = item } }
    var kept: Set<String> = []
    for section in new.sections {
      order.append(section.id)
      let ids = section.items.map(\.id)
      let difference = ids.difference(from: before[section.id]?.items.map(\.id) ?? [])
      if !difference.isEmpty { differences[section.id] = difference.inferringMoves() }
      for item in section.items {
        kept.insert(item.id)
        guard let old = held[item.id] else {
          items[item.id] = item
          continue
        }
        if old != item {
          changed.append(item.id)
          items[item.id] = item
        }
      }
    }
    for section in old.sections {
      for item in section.items where !kept.contains(item.id) { deleted.append(item.id) }
    }
  }

  var counts: Receipt.Counts {
    var counts = Receipt.Counts()
    for difference in differences.values {
      for case .insert(_, _, .some) in difference { counts.moved += 1 }
    }
    counts.reloaded = changed.count
    counts.inserted = items.count - changed.count
    counts.deleted = deleted.count
    return counts
  }
}
