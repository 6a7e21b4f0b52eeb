public import Foundation

/// A flat list and what becomes of it.
public enum FlatWorkload: String, CaseIterable, Sendable {
  /// An equal copy.
  case identical
  /// A hundredth of the items has new content.
  case update1
  /// A hundredth has new content, a hundredth goes, a hundredth moves anywhere, a hundredth comes.
  case mixed1
  /// The order reversed.
  case reversed
  /// A random order.
  case shuffled
  /// Half of the items replaced in place by new ones.
  case halfreplaced
  /// The first item moved to the end.
  case rotate1
  /// Only new items.
  case allnew

  /// The versions of a seed; the new one never shares its storage with the old one.
  public func versions(count: Int, seed: UInt64) -> Versions<Item> {
    var random = SplitMix64(seed: seed)
    let old = Self.fresh(count, &random)
    var new = old
    change(&new, &random)
    return Versions(old: old, new: new.map { Item(id: $0.id, content: $0.content) })
  }

  /// The same with ids on the heap.
  public func stringVersions(count: Int, seed: UInt64) -> Versions<StringItem> {
    let versions = versions(count: count, seed: seed)
    return Versions(old: versions.old.map(StringItem.init), new: versions.new.map(StringItem.init))
  }

  /// The same with ids that only `Hasher` can hash.
  public func customVersions(count: Int, seed: UInt64) -> Versions<CustomItem> {
    let versions = versions(count: count, seed: seed)
    return Versions(old: versions.old.map(CustomItem.init), new: versions.new.map(CustomItem.init))
  }

  /// The same with interned ids and content hashes.
  public func internedVersions(count: Int, seed: UInt64) -> Versions<InternedItem> {
    let versions = versions(count: count, seed: seed)
    var numbers: [Int: UInt32] = [:]
    func interned(_ items: [Item]) -> [InternedItem] {
      items.map { item in
        let number = numbers[item.id] ?? UInt32(numbers.count)
        numbers[item.id] = number
        var hash = SplitMix64(seed: UInt64(bitPattern: Int64(item.content)))
        return InternedItem(id: number, content: .init(high: hash.next(), low: hash.next()))
      }
    }
    return Versions(old: interned(versions.old), new: interned(versions.new))
  }

  static func fresh(_ count: Int, _ random: inout SplitMix64) -> [Item] {
    (0..<count).map { Item(id: random.id(), content: $0) }
  }

  private func change(_ list: inout [Item], _ random: inout SplitMix64) {
    switch self {
    case .identical: break
    case .update1:
      for index in random.pick(list.count / 100, of: list.count) { list[index].content += 1 << 32 }
    case .mixed1: Self.mix(&list, &random)
    case .reversed: list.reverse()
    case .shuffled: list.shuffle(using: &random)
    case .halfreplaced:
      for index in random.pick(list.count / 2, of: list.count) {
        list[index] = Item(id: random.id(), content: index)
      }
    case .rotate1: list.append(list.removeFirst())
    case .allnew: list = Self.fresh(list.count, &random)
    }
  }

  private static func mix(_ list: inout [Item], _ random: inout SplitMix64) {
    let part = list.count / 100
    for index in random.pick(part, of: list.count) { list[index].content += 1 << 32 }
    _ = takeOut(random.pick(part, of: list.count), from: &list)
    for item in takeOut(random.pick(part, of: list.count), from: &list) {
      list.insert(item, at: Int.random(in: 0...list.count, using: &random))
    }
    for item in fresh(part, &random) {
      list.insert(item, at: Int.random(in: 0...list.count, using: &random))
    }
  }

  private static func takeOut(_ indices: [Int], from list: inout [Item]) -> [Item] {
    let taken = indices.map { list[$0] }
    let gone = Set(indices)
    list = list.indices.filter { !gone.contains($0) }.map { list[$0] }
    return taken
  }
}

/// A fifth taken out, a fifth put in further on, a twenty-fifth shuffled at the front: the workload
/// that DifferenceKit measures itself with, of 5,000 or 100,000 random ids.
public func blocksOfUniqueIDs(count: Int, seed: UInt64) -> Versions<UUID> {
  var random = SplitMix64(seed: seed)
  func fresh(_ count: Int) -> [UUID] {
    (0..<count).map { _ in UUID(random.next(), random.next()) }
  }
  let old = fresh(count)
  var new = old.map { UUID(uuid: $0.uuid) }
  let isSmall = count < 50_000
  new.removeSubrange(isSmall ? 2_000..<3_000 : 20_000..<30_000)
  new.insert(contentsOf: fresh(isSmall ? 1_000 : 10_000), at: isSmall ? 3_000 : 30_000)
  new[0..<(isSmall ? 200 : 2_000)].shuffle(using: &random)
  return Versions(old: old, new: new)
}

extension UUID {
  fileprivate init(_ high: UInt64, _ low: UInt64) {
    self.init(uuid: unsafeBitCast((high, low), to: uuid_t.self))
  }
}
