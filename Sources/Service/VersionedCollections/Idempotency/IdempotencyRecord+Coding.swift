extension IdempotencyRecord {
  /// Encodes the record, without the collection.
  public var encoded: [UInt8] {
    var writer = StoredBytesWriter(kind: StoredKind.request, capacity: 128 * receipts.count + 64)
    writer.text(Array(key.text.utf8)[...])
    writer.hash(key.fingerprint)
    writer.number(Int(date))
    writer.number(receipts.count)
    for receipt in receipts { receipt.encode(into: &writer) }
    return writer.finish()
  }

  /// Decodes what `encoded` returned.
  ///
  /// - Parameters:
  ///   - bytes: The encoded record.
  ///   - collection: The collection of the request; nil for a batch.
  /// - Throws: `DamagedData` if the data is corrupt.
  public init(_ bytes: [UInt8], about collection: ResourceName?) throws(DamagedData) {
    var reader = try StoredBytesReader(bytes, kind: StoredKind.request)
    let text = String(decoding: try reader.text(), as: UTF8.self)
    key = IdempotencyKey(text: text, fingerprint: try reader.hash())
    date = Int64(try reader.number())
    receipts = []
    for _ in 0..<(try reader.count()) { receipts.append(try WriteReceipt(&reader)) }
    self.collection = collection
    try reader.finish()
  }
}

extension WriteReceipt {
  private static var flags: [WritableKeyPath<WriteReceipt, Bool>] {
    [\.isChanged, \.isCreated, \.isDeleted]
  }

  private static var numbers: [WritableKeyPath<ChangeCounts, Int>] {
    [
      \.sectionsInserted, \.sectionsDeleted, \.sectionsMoved, \.sectionsReloaded, \.inserted,
      \.deleted, \.moved, \.reloaded,
    ]
  }

  fileprivate func encode(into writer: inout StoredBytesWriter) {
    writer.text(Array(version.description.utf8)[...])
    writer.text(Array((previous?.description ?? "").utf8)[...])
    for flag in Self.flags { writer.number(self[keyPath: flag] ? 1 : 0) }
    for number in Self.numbers { writer.number(counts[keyPath: number]) }
    writer.noLists()
  }

  fileprivate init(_ reader: inout StoredBytesReader) throws(DamagedData) {
    guard let version = VersionToken(try reader.text()) else {
      throw DamagedData("a receipt without a version")
    }
    self.init(
      version: version, previous: VersionToken(try reader.text()), isChanged: false,
      isCreated: false, counts: ChangeCounts(), answer: nil)
    for flag in Self.flags { self[keyPath: flag] = try reader.number() == 1 }
    for number in Self.numbers { counts[keyPath: number] = try reader.number() }
    _ = try reader.number()  // See `noLists`.
  }
}
