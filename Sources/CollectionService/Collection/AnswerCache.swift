import DeltaEngine
import Synchronization

/// What was computed lately for readers of the newest versions: deltas, and bytes in each form.
///
/// Made once and shared by all who ask the same, over all shards, within one bound. Answers are
/// grouped by the version that they lead to, its *head*; when there are too many, the heads that
/// were not used for longest lose theirs. The delta and the bytes that were made last always stay,
/// so that readers who wait for one large answer share it, whatever its size.
final class AnswerCache: Sendable {
  /// A delta to the head, or why there is none.
  enum Outcome: Sendable {
    /// The delta, the structure that it starts from, what changed inside items alone, and whether it
    /// is under the thresholds, so that a list shows it as it goes.
    case delta(
      Delta, source: [StructureSection], nested: [NestedChange], isAnimated: Bool)
    /// It could not be computed, or the simulator refused it; with the cause, for the log.
    case refused(String)
  }

  fileprivate enum Key: Hashable {
    /// Where no item has a list, one outcome is all readers'.
    case outcome(from: Int, isFolded: Bool)
    /// Version 0 stands for the snapshot.
    case body(from: Int, form: AnswerForm)
  }

  fileprivate enum Answer {
    case outcome(Outcome)
    case body(EncodedText)
  }

  fileprivate struct Group {
    var answers: [Key: (answer: Answer, byteCount: Int)] = [:]
    /// The delta and the bytes that were made last.
    var newest: (outcome: Key?, body: Key?)
    var byteCount = 0
    var lastUse = 0
  }

  fileprivate struct State {
    var groups: [PublishedHead: Group] = [:]
    var byteCount = 0
    var useCount = 0
  }

  private let bytesMax: Int
  private let state = Mutex(State())

  /// A cache without answers.
  ///
  /// - Parameter bytesMax: About how much memory the answers may take, but for the last one.
  init(bytesMax: Int) { self.bytesMax = bytesMax }

  /// About how much memory the answers take.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// The delta from a version to a head, computed when it is not there.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - seq: The number of the version that the delta starts from.
  ///   - isFolded: Whether the lists inside items are part of their contents.
  ///   - make: Computes it.
  /// - Returns: The delta, or why there is none.
  func outcome(
    of head: PublishedHead, from seq: Int, isFolded: Bool, make: () -> Outcome
  ) -> Outcome {
    let key = Key.outcome(from: seq, isFolded: isFolded)
    if case .outcome(let outcome)? = find(key, head) { return outcome }
    let outcome = make()
    insert(.outcome(outcome), key, head, byteCount: outcome.byteCount)
    return outcome
  }

  /// The bytes of an answer in a form, encoded when they are not there.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - seq: The number of the version that the answer starts from; 0 for the snapshot.
  ///   - form: The form.
  ///   - encode: Makes the bytes.
  /// - Returns: The bytes.
  func body(
    of head: PublishedHead, from seq: Int, _ form: AnswerForm, encode: () -> EncodedText
  ) -> EncodedText {
    let key = Key.body(from: seq, form: form)
    if case .body(let body)? = find(key, head) { return body }
    let body = encode()
    insert(.body(body), key, head, byteCount: body.bytes.count)
    return body
  }

  /// Whether the bytes of an answer are there, or those of the snapshot where there is no delta.
  func has(
    _ head: PublishedHead, from seq: Int, _ form: AnswerForm, isFolded: Bool, isStrict: Bool
  ) -> Bool {
    state.withLock { state in
      guard let answers = state.groups[head]?.answers else { return false }
      let snapshot = Key.body(from: 0, form: form.ofSnapshot)
      if seq == 0 { return answers[snapshot] != nil }
      switch answers[.outcome(from: seq, isFolded: isFolded)]?.answer {
      case .outcome(.delta): return answers[.body(from: seq, form: form)] != nil
      case .outcome: return isStrict || answers[snapshot] != nil
      case .body, nil: return false
      }
    }
  }

  /// Withdraws a head, since there is a newer one or none, and forgets all answers that lead to it.
  func remove(_ head: PublishedHead) {
    head.withdraw()
    state.withLock { $0.remove(head) }
  }

  private func find(_ key: Key, _ head: PublishedHead) -> Answer? {
    state.withLock { state in
      guard let answer = state.groups[head]?.answers[key]?.answer else { return nil }
      state.use(head)
      return answer
    }
  }

  /// What an answer takes beside its bytes.
  private static let overhead = 160

  private func insert(_ answer: Answer, _ key: Key, _ head: PublishedHead, byteCount: Int) {
    let byteCount = byteCount + Self.overhead
    state.withLock { state in
      state.groups[head, default: Group()].insert(answer, key, byteCount)
      state.byteCount += byteCount
      state.use(head)
      if state.byteCount > bytesMax { state.evict(to: bytesMax / 10 * 9, keeping: head) }
    }
  }
}

extension AnswerCache.State {
  fileprivate mutating func use(_ head: PublishedHead) {
    useCount += 1
    groups[head]?.lastUse = useCount
  }

  fileprivate mutating func remove(_ head: PublishedHead) {
    byteCount -= groups.removeValue(forKey: head)?.byteCount ?? 0
  }

  /// Removes the answers of other heads, least recently used first, then all but the newest of
  /// this head.
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
  fileprivate mutating func insert(
    _ answer: AnswerCache.Answer, _ key: AnswerCache.Key, _ count: Int
  ) {
    answers[key] = (answer, count)
    byteCount += count
    switch answer {
    case .outcome: newest.outcome = key
    case .body: newest.body = key
    }
  }

  fileprivate mutating func removeAllButNewest() {
    let newest = newest
    answers = answers.filter { $0.key == newest.outcome || $0.key == newest.body }
    byteCount = answers.values.reduce(0) { $0 + $1.byteCount }
  }
}

extension AnswerCache.Outcome {
  /// About how much memory it takes.
  fileprivate var byteCount: Int {
    guard case .delta(let delta, let source, let nested, _) = self else { return 0 }
    let lists = nested.reduce(0) { $0 + $1.source.count + $1.target.count }
    return (source.itemCount + lists) * MemoryLayout<StructureItem>.stride
      + nested.reduce(delta.changeCount) { $0 + $1.delta.changeCount } * 64
  }
}
