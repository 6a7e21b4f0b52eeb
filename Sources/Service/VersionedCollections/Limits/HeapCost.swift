/// What objects take of the heap, in bytes, as measured on 64-bit Linux with glibc.
///
/// The size of an object is not what it costs: arrays and dictionaries have headers and room to grow, and the allocator
/// adds 8 bytes to each object and rounds up to 16. `HeapCostTests` compares the sums with the heap.
package enum HeapCost {
  /// An array besides its elements.
  static let array = 48
  /// A collection in memory, with its place among those of its client, besides its head and its versions.
  package static let collection = 2112
  /// A retained version besides its patch.
  static let version = 192
  /// A client in memory, with its place on its shard, besides its collections.
  package static let client = 448
  /// A collection of which a client in memory has the summary alone.
  package static let summary = 640
  /// A collection in a store in memory, besides what the service has of it.
  package static let storedHead = 384
  /// A new collection besides its head, in whatever store, if its client is new too.
  package static let newCollection = collection + version + client + storedHead

  /// A head of which answers are cached, besides them.
  package static let answeredHead = 800
  /// A cached answer besides its text.
  package static let answer = 320
  /// The requests with keys of one collection, besides their records.
  static let requests = 384

  /// A name; one of up to 15 bytes is in the value itself.
  package static func name(_ name: ResourceName) -> Int {
    let count = name.text.utf8.count
    return count > 15 ? array + count : 0
  }

  /// What objects of a size take with what is free between them: a sixteenth more, as measured while collections come
  /// and go.
  package static func spaced(_ byteCount: Int) -> Int { byteCount + byteCount / 16 + 1 }

  /// A dictionary; on average, its slots are used by somewhat more than half.
  static func dictionary(of count: Int, _ stride: Int) -> Int {
    count == 0 ? 0 : array + count * stride * 9 / 5
  }
}
