/// The unresolved elements of one side by their numbers, where they lie: nothing is copied, and no
/// reference is counted.
@usableFromInline struct UnresolvedElements<Element: Diffable> {
  /// Per pair: its list.
  @usableFromInline let lists: ScratchBuffer<Elements<Element>>
  /// Per number: the index in its list.
  @usableFromInline let indices: ScratchBuffer<Int32>
  /// Per number: its pair; not kept for a single one.
  @usableFromInline let pairs: ScratchBuffer<Int32>
  @usableFromInline let hasOneList: Bool
  @usableFromInline let count: Int

  @inlinable init(
    lists: ScratchBuffer<Elements<Element>>, indices: ScratchList<Int32>,
    pairs: ScratchBuffer<Int32>, hasOneList: Bool
  ) {
    self.lists = lists
    self.indices = indices.buffer
    self.pairs = pairs
    self.hasOneList = hasOneList
    count = indices.count
  }

  /// The pair of a number.
  @inlinable @inline(__always)
  func pair(of number: Int) -> Int { hasOneList ? 0 : Int(pairs[number]) }

  @inlinable subscript(number: Int) -> Element {
    @inline(__always) unsafeAddress {
      unsafe lists[pair(of: number)].address(of: Int(indices[number]))
    }
  }

  /// Hashes all elements into a buffer, 32 bits each.
  ///
  /// - Returns: False when one of them can only be hashed by `Hasher`, and this is another hash.
  @inlinable func hash(by hash: IdentityHash, into hashes: HashList) -> Bool {
    if hasOneList { return self.hash(lists[0], by: hash, into: hashes) }
    for number in 0..<count {
      guard let hash = hash.hash(self[number].diffID, of: Element.self) else { return false }
      hashes[number] = UInt32(truncatingIfNeeded: hash)
    }
    return true
  }

  /// The same for elements of one list: a third less to do for each.
  @inlinable func hash(
    _ list: Elements<Element>, by hash: IdentityHash, into hashes: HashList
  ) -> Bool {
    let indices = indices
    for number in 0..<count {
      let id = list[Int(indices[number])].diffID
      guard let hash = hash.hash(id, of: Element.self) else { return false }
      hashes[number] = UInt32(truncatingIfNeeded: hash)
    }
    return true
  }

  /// Whether some at a time are fetched before they are asked: a comparison of texts, or the wait
  /// for what lies outside the cache, is too long for the processor to look ahead to the next.
  @inlinable var areFetched: Bool { Element.identityKind == .text || count >= 1 << 16 }

  /// Reads a byte of each of some elements, so that the memory of all of them is waited for at
  /// once.
  ///
  /// - Parameters:
  ///   - numbers: Per place the number of an element; others than those of elements are left out.
  ///   - places: Which of them.
  /// - Returns: Something of what was read: who stores it has it read.
  @inlinable func fetch(_ numbers: ScratchBuffer<Int32>, _ places: Range<Int>) -> UInt8 {
    var bytes: UInt8 = 0
    for place in places {
      let number = Int(numbers[place])
      if number < 0 || number >= count { continue }
      bytes ^= firstByte(of: number)
    }
    return bytes
  }

  /// The first byte of an element, of its text if that is its identity.
  @inlinable @inline(__always) func firstByte(of number: Int) -> UInt8 {
    if Element.identityKind == .text { return Element.firstByte(of: self[number].diffID) }
    let list = lists[pair(of: number)]
    return list.firstByte(at: Int(indices[number]))
  }
}

extension IdentityHash {
  /// The hash of an element that can be hashed this way, 32 bits of it.
  @inlinable
  func hash<Element: Diffable>(_ elements: UnresolvedElements<Element>, _ number: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(elements[number].diffID, of: Element.self) ?? 0)
  }
}
