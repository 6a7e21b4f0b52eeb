extension StoredCollection {
  /// The collection as a store has it.
  ///
  /// - Parameters:
  ///   - lineage: What tells this life of the collection from others.
  ///   - image: All of it as of some version.
  ///   - changes: What led on from there, in order.
  ///   - settings: What is kept beside the versions.
  /// - Throws: `DamagedData` when they are something else, or do not belong together.
  public init(
    lineage: String, image: [UInt8], changes: [[UInt8]], settings: StoredSettings
  ) throws(DamagedData) {
    try self.init(lineage: lineage, image: image)
    for change in changes { try apply(change: change) }
    try apply(settings)
    try checkIDs()
  }

  /// The date of the version that an image or a change is of.
  ///
  /// - Parameter bytes: The first 24 bytes of it, or more.
  /// - Returns: Seconds since 1970; nil when the bytes are none.
  public static func date(of bytes: [UInt8]) -> Int64? { StoredBytesReader.date(of: bytes) }

  /// Sees that no section and no item has the id of another one.
  ///
  /// - Throws: `DamagedData` otherwise.
  /// - Complexity: O(n) in the items.
  public func checkIDs() throws(DamagedData) {
    var isSection = Set<UInt32>(minimumCapacity: sections.count)
    var isItem = Set<UInt32>(minimumCapacity: itemCount)
    for section in sections {
      guard isSection.insert(section.uniqueID).inserted else {
        throw DamagedData("two sections with one id")
      }
      for item in section.items where !isItem.insert(item.uniqueID).inserted {
        throw DamagedData("two items with one id")
      }
    }
  }
}
