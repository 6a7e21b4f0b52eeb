/// The unresolved elements of one side by number, accessed in place without copying or reference
/// counting.
@usableFromInline struct UnresolvedElements<Element: Diffable> {
  /// The list of each pair.
  @usableFromInline let lists: ScratchBuffer<Elements<Element>>
  /// For each number, the index in its list.
  @usableFromInline let indices: ScratchBuffer<Int32>
  /// For each number, its pair; not stored if there is only one pair.
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

  /// Returns the pair of a number.
  @inlinable @inline(__always)
  func pair(of number: Int) -> Int { hasOneList ? 0 : Int(pairs[number]) }

  @inlinable subscript(number: Int) -> Element {
    @inline(__always) unsafeAddress {
      unsafe lists[pair(of: number)].address(of: Int(indices[number]))
    }
  }

  /// Stores the 32-bit hashes of all elements in a buffer.
  ///
  /// - Returns: `false` if one of them requires `Hasher`, and `hash` is another hash.
  @inlinable func hash(by hash: IdentityHash, into hashes: HashList) -> Bool {
    if hasOneList { return self.hash(lists[0], by: hash, into: hashes) }
    for number in 0..<count {
      guard let hash = hash.hash(self[number].diffID, of: Element.self) else { return false }
      hashes[number] = UInt32(truncatingIfNeeded: hash)
    }
    return true
  }

  /// Stores the hashes of the elements of a single list, with a third less work per element.
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

  /// Whether elements are prefetched before they are compared.
  ///
  /// A string comparison, or a wait for memory outside the cache, is too long for the processor to
  /// speculate ahead to the next element.
  @inlinable var areFetched: Bool { Element.identityKind == .text || count >= 1 << 16 }

  /// Reads a byte of each of some elements, so that their cache misses overlap.
  ///
  /// - Parameters:
  ///   - numbers: For each position, the number of an element; invalid numbers are skipped.
  ///   - places: The positions to read.
  /// - Returns: A value derived from the bytes; storing it keeps the reads from being optimized
  ///   away.
  @inlinable func fetch(_ numbers: ScratchBuffer<Int32>, _ places: Range<Int>) -> UInt8 {
    var bytes: UInt8 = 0
    for place in places {
      let number = Int(numbers[place])
      if number < 0 || number >= count { continue }
      bytes ^= firstByte(of: number)
    }
    return bytes
  }

  /// Returns the first byte of an element, or of its text if that is its identity.
  @inlinable @inline(__always) func firstByte(of number: Int) -> UInt8 {
    if Element.identityKind == .text { return Element.firstByte(of: self[number].diffID) }
    let list = lists[pair(of: number)]
    return list.firstByte(at: Int(indices[number]))
  }
}

extension IdentityHash {
  /// Returns 32 bits of the hash of an element that can be hashed this way.
  @inlinable
  func hash<Element: Diffable>(_ elements: UnresolvedElements<Element>, _ number: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(elements[number].diffID, of: Element.self) ?? 0)
  }
}
