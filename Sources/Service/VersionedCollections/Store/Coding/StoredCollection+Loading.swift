extension StoredCollection {
  /// Returns the date of the version in an image or a change.
  ///
  /// - Parameter bytes: At least its first 24 bytes.
  /// - Returns: Seconds since 1970; nil if the data is invalid.
  public static func date(of bytes: [UInt8]) -> Int64? { StoredBytesReader.date(of: bytes) }

  /// Checks that the ids of sections and the ids of items are unique.
  ///
  /// - Throws: `DamagedData` if they are not.
  /// - Complexity: O(*n*), where *n* is the number of items.
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

extension StoredVersion {
  /// Encodes the version as an image, the form in which a first version is stored.
  public func encodedImage() -> [UInt8] { StoredCollection(self).image() }
}
