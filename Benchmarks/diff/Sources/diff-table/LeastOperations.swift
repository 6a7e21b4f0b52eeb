import DeltaEngine
import Workloads

/// The least operations of a flat list: what went, what came, what changed, and all survivors but a
/// longest common order, by plain patience sorting.
func leastOperations<Element: Diffable>(_ old: [Element], _ new: [Element]) -> Int {
  var place: [Element.DiffID: Int] = [:]
  for (index, element) in old.enumerated() { place[element.diffID] = index }
  let kept = new.compactMap { place[$0.diffID] }
  let changed = new.count { element in
    place[element.diffID].map { !element.hasSameContent(as: old[$0]) } ?? false
  }
  let removed = old.count - kept.count
  let added = new.count - kept.count
  return removed + added + changed + kept.count - longestIncreasing(kept)
}

/// The least operations of a sectioned list: as above per section, every change of section once,
/// sections likewise; items that come or go with their section cost nothing.
func leastOperations(_ versions: Versions<ItemSection>) -> Int {
  var sectionOf: [Int: Int] = [:]
  var contentOf: [Int: Int] = [:]
  var placeOf: [Int: Int] = [:]
  let oldSections = Dictionary(
    uniqueKeysWithValues: versions.old.enumerated().map { ($1.id, $0) })
  let newSections = Set(versions.new.map(\.id))
  for section in versions.old {
    for (index, item) in section.items.enumerated() {
      sectionOf[item.id] = section.id
      contentOf[item.id] = item.content
      placeOf[item.id] = index
    }
  }
  var operations = 0
  var seen = Set<Int>()
  for section in versions.new {
    var kept: [Int] = []
    for item in section.items {
      seen.insert(item.id)
      guard let home = sectionOf[item.id] else {
        if oldSections[section.id] != nil { operations += 1 }
        continue
      }
      if contentOf[item.id] != item.content { operations += 1 }
      if home == section.id { kept.append(placeOf[item.id] ?? 0) } else { operations += 1 }
    }
    operations += kept.count - longestIncreasing(kept)
  }
  for section in versions.old where newSections.contains(section.id) {
    operations += section.items.count { !seen.contains($0.id) }
  }
  let keptSections = versions.new.compactMap { oldSections[$0.id] }
  operations += versions.old.count - keptSections.count + versions.new.count - keptSections.count
  return operations + keptSections.count - longestIncreasing(keptSections)
}

private func longestIncreasing(_ values: [Int]) -> Int {
  var piles: [Int] = []
  for value in values {
    var low = 0
    var high = piles.count
    while low < high {
      let middle = (low + high) / 2
      if piles[middle] < value { low = middle + 1 } else { high = middle }
    }
    if low == piles.count { piles.append(value) } else { piles[low] = value }
  }
  return piles.count
}
