import DeltaEngine
import Synchronization
import VersionedCollections

/// A cache of deltas to the newest versions and of encoded answers, shared by all shards.
///
/// Entries are grouped by the version they lead to, its *head*. When the cache is full, the groups
/// of the least recently used heads are evicted. The newest delta and the newest encoded answer are
/// never evicted, so waiting readers can share an answer of any size.
final class AnswerCache: Sendable {
  fileprivate enum Key: Hashable {
    case outcome(from: Int)
    /// The encoded answer; `from` is 0 for a snapshot.
    case body(from: Int, form: AnswerForm)
    /// What a reader of a view is told.
    case view(from: Int, form: AnswerForm)

    /// The approximate size of the view in bytes.
    var viewBytes: Int {
      switch self {
      case .outcome: 0
      case .body(_, let form), .view(_, let form): form.view?.view.byteCount ?? 0
      }
    }
  }

  fileprivate enum Answer {
    case outcome(JudgedDelta)
    case body(EncodedText)
    case view(ViewNews)
  }

  fileprivate struct Group {
    var answers: [Key: (answer: Answer, byteCount: Int)] = [:]
    /// The keys of the newest delta and the newest encoded answer.
    var newest: (outcome: Key?, body: Key?)
    var byteCount = HeapCost.answeredHead
    var lastUse = 0
  }

  fileprivate struct State {
    var groups: [PublishedHead: Group] = [:]
    /// The heads that were no longer the newest versions when answers were made of them, oldest first.
    ///
    /// Readers who were notified of such a head share its answers; nobody asks for them later.
    var gone: [PublishedHead] = []
    var byteCount = 0
    var useCount = 0
  }

  private let bytesMax: Int
  private let counters: ServiceCounters
  private let state = Mutex(State())

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - bytesMax: The approximate memory limit in bytes, excluding the newest answer.
  ///   - counters: Counts lookups and evictions.
  init(bytesMax: Int, _ counters: ServiceCounters = ServiceCounters()) {
    self.bytesMax = bytesMax
    self.counters = counters
  }

  /// The approximate size in bytes.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Returns the delta from a version to a head, computing it if it is not cached.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - seq: The number of the source version.
  ///   - make: Computes the delta.
  /// - Returns: The delta, or the reason why there is none.
  func outcome(
    of head: PublishedHead, from seq: Int, make: () -> JudgedDelta
  ) -> JudgedDelta {
    let key = Key.outcome(from: seq)
    if case .outcome(let outcome)? = find(key, head) { return outcome }
    let outcome = make()
    insert(.outcome(outcome), key, head, byteCount: outcome.byteCount)
    return outcome
  }

  /// Returns an encoded answer, encoding it if it is not cached; `seq` is the reader's version, 0 for a
  /// snapshot.
  ///
  /// - Returns: nil if it cannot be encoded; nothing is cached then.
  /// - Throws: What `encode` throws; then nothing is cached.
  func body<Stop: Error>(
    of head: PublishedHead, from seq: Int, _ form: AnswerForm,
    encode: () throws(Stop) -> EncodedText?
  ) throws(Stop) -> EncodedText? {
    let key = Key.body(from: seq, form: form)
    if case .body(let body)? = find(key, head) { return body }
    guard let body = try encode() else { return nil }
    insert(.body(body), key, head, byteCount: body.bytes.capacity)
    return body
  }

  /// Returns what a reader of a view is told, making it if it is not cached.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - seq: The number of the reader's version.
  ///   - form: The form of the answer, with the view.
  ///   - make: Makes it; nil if that is not possible yet, and nothing is cached.
  /// - Returns: It, or nil.
  /// - Throws: What `make` throws; then nothing is cached.
  func news<Stop: Error>(
    of head: PublishedHead, from seq: Int, _ form: AnswerForm,
    make: () throws(Stop) -> ViewNews?
  ) throws(Stop) -> ViewNews? {
    let key = Key.view(from: seq, form: form)
    if case .view(let news)? = find(key, head) { return news }
    guard let news = try make() else { return nil }
    insert(.view(news), key, head, byteCount: news.byteCount)
    return news
  }

  /// Whether an encoded answer is cached: what a view's reader is told, or the delta, or the snapshot if there is no
  /// delta, or if `seq` is 0.
  func has(_ head: PublishedHead, from seq: Int, _ form: AnswerForm, isStrict: Bool) -> Bool {
    state.withLock { state in
      guard let answers = state.groups[head]?.answers else { return false }
      let snapshot = Key.body(from: 0, form: form.ofSnapshot)
      if seq == 0 { return answers[snapshot] != nil }
      if form.view != nil { return answers[.view(from: seq, form: form)] != nil }
      switch answers[.outcome(from: seq)]?.answer {
      case .outcome(.delta): return answers[.body(from: seq, form: form)] != nil
      case .outcome: return isStrict || answers[snapshot] != nil
      case .body, .view, nil: return false
      }
    }
  }

  /// Withdraws a head that is no longer the newest version, and removes its answers.
  func remove(_ head: PublishedHead) {
    head.withdraw()
    state.withLock { $0.remove(head) }
  }

  private func find(_ key: Key, _ head: PublishedHead) -> Answer? {
    let answer = state.withLock { state -> Answer? in
      guard let answer = state.groups[head]?.answers[key]?.answer else { return nil }
      state.use(head)
      return answer
    }
    if answer == nil { counters.cacheMisses.add(1) } else { counters.cacheHits.add(1) }
    return answer
  }

  private func insert(_ answer: Answer, _ key: Key, _ head: PublishedHead, byteCount: Int) {
    let byteCount = byteCount + HeapCost.answer + key.viewBytes
    let evictionCount = state.withLock { state in
      if !head.isCurrent, state.groups[head] == nil { state.addGone(head) }
      let before = state.groups[head]?.byteCount ?? 0
      let after = state.groups[head, default: Group()].insert(answer, key, byteCount)
      state.byteCount += after - before
      state.use(head)
      guard state.byteCount > bytesMax else { return 0 }
      let count = state.groups.count
      state.evict(to: bytesMax / 10 * 9, keeping: head)
      return count - state.groups.count
    }
    counters.cacheEvictions.add(evictionCount)
  }
}

extension AnswerCache.State {
  fileprivate mutating func use(_ head: PublishedHead) {
    useCount += 1
    groups[head]?.lastUse = useCount
  }

  /// The most heads that have been replaced whose answers are kept.
  private static let goneMax = 16

  /// Notes a head that has been replaced, and removes the answers of the oldest of them if there are too many.
  fileprivate mutating func addGone(_ head: PublishedHead) {
    gone.append(head)
    if gone.count > Self.goneMax { remove(gone.removeFirst()) }
  }

  fileprivate mutating func remove(_ head: PublishedHead) {
    byteCount -= groups.removeValue(forKey: head)?.byteCount ?? 0
  }

  /// Evicts the answers of other heads, least recently used first, then all but the newest of this
  /// head.
  fileprivate mutating func evict(to goal: Int, keeping head: PublishedHead) {
    let others = groups.lazy.filter { $0.key != head }.map { (head: $0.key, use: $0.value.lastUse) }
    for other in others.sorted(by: { $0.use < $1.use }) {
      if byteCount <= goal { return }
      remove(other.head)
    }
    guard byteCount > goal, var group = groups[head] else { return }
    remove(head)
    group.removeAllButNewest()
    groups[head] = group
    byteCount += group.byteCount
  }
}

extension AnswerCache.Group {
  /// Returns the size of the group.
  fileprivate mutating func insert(
    _ answer: AnswerCache.Answer, _ key: AnswerCache.Key, _ count: Int
  ) -> Int {
    byteCount += count - (answers.updateValue((answer, count), forKey: key)?.byteCount ?? 0)
    switch answer {
    case .outcome: newest.outcome = key
    case .body, .view: newest.body = key
    }
    return byteCount
  }

  fileprivate mutating func removeAllButNewest() {
    let newest = newest
    answers = answers.filter { $0.key == newest.outcome || $0.key == newest.body }
    byteCount = answers.values.reduce(HeapCost.answeredHead) { $0 + $1.byteCount }
  }
}

extension JudgedDelta {
  /// The approximate size in bytes.
  fileprivate var byteCount: Int {
    guard case .delta(let delta, let source, _) = self else { return 0 }
    return source.itemCount * MemoryLayout<StructureItem>.stride + delta.changeCount * 64
  }
}
