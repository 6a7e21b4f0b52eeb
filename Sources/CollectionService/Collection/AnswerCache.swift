import DeltaEngine

/// What was computed for readers of the head: deltas, and bytes in each form.
///
/// Made once and shared by all who ask the same. Thrown away with the head; and, since readers may
/// come from many versions, when those of a shard hold too much.
struct AnswerCache {
  /// A delta to the head, or why there is none.
  enum Outcome {
    /// The delta, the structure that it starts from, and what changed inside items alone.
    case delta(Delta, source: [StructureSection], nested: [NestedChange])
    /// Over a threshold.
    case tooLarge
    /// The simulator refused it.
    case refused
  }

  private struct Key: Hashable {
    var from: Int
    var form: AnswerForm
  }

  /// Where no item has a list, one outcome is all readers'.
  private struct OutcomeKey: Hashable {
    var from: Int
    var isFolded: Bool
  }

  private var outcomes: [OutcomeKey: Outcome] = [:]
  private var bodies: [Key: EncodedText] = [:]
  /// About how much memory it takes.
  private(set) var byteCount = 0

  /// The delta from a version to the head, made at first sight.
  ///
  /// - Parameters:
  ///   - seq: The version's number.
  ///   - isFolded: Whether the lists inside items are part of their contents.
  ///   - make: Computes it.
  /// - Returns: The delta, or why there is none.
  mutating func outcome(from seq: Int, isFolded: Bool, make: () -> Outcome) -> Outcome {
    let key = OutcomeKey(from: seq, isFolded: isFolded)
    if let outcome = outcomes[key] { return outcome }
    let outcome = make()
    outcomes[key] = outcome
    if case .delta(let delta, let source, _) = outcome {
      byteCount += source.itemCount * MemoryLayout<StructureItem>.stride + delta.changeCount * 64
    }
    return outcome
  }

  /// The bytes of an answer in a form, encoded at first sight; version 0 stands for the snapshot.
  mutating func body(
    from seq: Int, _ form: AnswerForm, encode: () -> EncodedText
  ) -> EncodedText {
    let key = Key(from: seq, form: form)
    if let body = bodies[key] { return body }
    let body = encode()
    bodies[key] = body
    byteCount += body.bytes.count
    return body
  }
}

/// How much the caches of a shard's collections may hold together; past that all begin anew.
struct CacheBudget {
  private let bytesMax: Int
  private var holders: [ObjectIdentifier: (collection: HostedCollection, byteCount: Int)] = [:]
  private var byteCount = 0

  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// Takes note of what a collection's cache holds now.
  mutating func note(_ collection: HostedCollection) {
    release(collection)
    byteCount += collection.cache.byteCount
    holders[ObjectIdentifier(collection)] = (collection, collection.cache.byteCount)
    guard byteCount > bytesMax else { return }
    for holder in holders.values { holder.collection.cache = AnswerCache() }
    holders = [:]
    byteCount = 0
  }

  /// Forgets a collection whose cache was thrown away.
  mutating func release(_ collection: HostedCollection) {
    byteCount -= holders.removeValue(forKey: ObjectIdentifier(collection))?.byteCount ?? 0
  }
}
