@testable import VersionedCollections

/// What happened to one collection, and what its users were told of it: whether both fit together.
///
/// A history is linearizable if each call can be given one moment, between the time at which its request came and that
/// of its answer, so that the collection was then what the answer says [Herlihy and Wing 1990]. In general that is hard
/// to find out. Here every state has a name, its version token, and the order of all states of a collection is known:
/// within a lineage by the numbers in its tokens, among lineages by the store. What remains is to find a time for each
/// change, no earlier than that of the change before.
///
/// **Calls.** Each bounds the times of changes:
/// * a write that was acknowledged made its change between its request and its answer, and nobody else did;
/// * a write of unknown outcome, or one that was never answered, is no call; if it took effect, then once, and not before
///   the store committed it, for which a change has its earliest time;
/// * who saw a version saw it between the change to it and the next one;
/// * who was told that a collection was deleted was told after it happened;
/// * who was told that there is no collection, or whose write was refused because of a version or of a collection that
///   is there (412, 409), was told what was true at some time in between.
///
/// A reader who showed a version has seen it: what it is told is that or a later one.
///
/// **Older states.** A replica over a shared store may tell readers what was up to a second before their requests
/// (docs/protocol.md, "Several replicas"), and what was at any time before if it says `Collection-Stale`: the caller
/// lets such a call begin that much earlier. What readers are told of one collection is never from after the answer.
///
/// **Finding the times.** The earliest possible times are found in one pass: each is the latest of what bounds it
/// from below and the time before. If one is later than what bounds it from above, no times fit. Calls that fit into
/// several places (who saw no collection, who was refused) are held against these times. Where one does not fit,
/// waiting longer with one certain change is the only way in which it could, since no change can be earlier: that
/// change is bounded by the call, and the pass repeated. Times only grow, so it ends; the result is exact.
/// Complexity: O(passes × (changes + calls)); all but a few histories need one pass.
struct History {
  /// A change of the collection.
  struct Change {
    /// The new version; nil for a deletion.
    var version: VersionToken?
    /// The operation that made it.
    var operation: Int
    /// The times between which it became visible.
    var times: ClosedRange<Microseconds>
  }

  /// What a user was told.
  enum Claim: Equatable {
    /// It wrote this version.
    case wrote(VersionToken)
    /// It deleted the collection when this was its last version.
    case deleted(VersionToken)
    /// The collection has this version; nil if there is none.
    case saw(VersionToken?)
    /// The collection was deleted after this version; nil for after the beginning.
    case sawDeletion(after: VersionToken?)
    /// The collection does not have this version; nil if there is one.
    case missed(VersionToken?)
  }

  /// A request and its answer.
  struct Call {
    var operation: Int
    var claim: Claim
    /// When the request came, or by how much earlier its answer may be from.
    var begin: Microseconds
    /// When it was answered.
    var end: Microseconds
    /// The version that the caller showed.
    var shown: VersionToken?
  }

  /// A bound of a change's time, and the operation that sets it; -1 for the store.
  private struct Bound {
    var time: Microseconds
    var operation = -1
  }

  /// Changes in their order; the first state is that there is no collection.
  let changes: [Change]
  /// The place of each version; the state after change 0 has place 1.
  private var places: [VersionToken: Int] = [:]
  /// Between which times each state began.
  private var earliest = [Bound(time: 0)]
  private var latest = [Bound(time: 0)]
  /// The calls that fit into several places.
  private var open: [Call] = []
  /// What the first call says that cannot be true at any time.
  private var fault: String?

  init(_ changes: [Change]) {
    self.changes = changes
    for (index, change) in changes.enumerated() {
      if let version = change.version { places[version] = index + 1 }
      earliest.append(Bound(time: change.times.lowerBound))
      latest.append(Bound(time: change.times.upperBound))
    }
  }

  /// Returns why calls and changes do not fit together; nil if they do.
  static func fault(of calls: [Call], _ changes: [Change]) -> String? {
    var history = History(changes)
    for call in calls {
      history.add(call)
      if let fault = history.fault { return fault }
    }
    return history.fitted()
  }

  // MARK: Calls

  private mutating func add(_ call: Call) {
    let shown = call.shown.flatMap { places[$0] }
    switch call.claim {
    case .wrote(let version):
      guard let place = places[version], changes[place - 1].operation == call.operation else {
        return refuse(call, "wrote \(version)")
      }
      begins(place, after: call.begin, before: call.end, call)
    case .deleted(let version):
      guard let place = places[version], place < changes.count, changes[place].version == nil,
        changes[place].operation == call.operation
      else { return refuse(call, "deleted \(version)") }
      begins(place + 1, after: call.begin, before: call.end, call)
    case .saw(let version?):
      guard let place = places[version] else { return refuse(call, "saw \(version)") }
      if let shown, place < shown { return refuse(call, "saw \(version) after a later one") }
      begins(place, before: call.end, call)
      if place < changes.count { begins(place + 1, after: call.begin, call) }
    case .sawDeletion(let version):
      let place = version.map { places[$0] } ?? 0
      guard let place, let end = deletion(after: place) else {
        return refuse(call, "saw the deletion of \(version?.description ?? "something")")
      }
      begins(end, before: call.end, call)
    case .saw(nil), .missed: open.append(call)
    }
  }

  private mutating func refuse(_ call: Call, _ text: String) {
    fault = "\(call.operation) \(text) from \(call.begin) to \(call.end), which it did not"
  }

  private mutating func begins(
    _ place: Int, after begin: Microseconds = 0, before end: Microseconds = .max, _ call: Call
  ) {
    if begin > earliest[place].time {
      earliest[place] = Bound(time: begin, operation: call.operation)
    }
    if end < latest[place].time { latest[place] = Bound(time: end, operation: call.operation) }
  }

  private func version(at place: Int) -> VersionToken? {
    place > 0 ? changes[place - 1].version : nil
  }

  /// The place of the first deletion after a place.
  private func deletion(after place: Int) -> Int? {
    (place + 1..<changes.count + 1).first { version(at: $0) == nil }
  }

  // MARK: Times

  private mutating func fitted() -> String? {
    while true {
      var starts: [Microseconds] = []
      for place in earliest.indices {
        starts.append(max(starts.last ?? 0, earliest[place].time))
        if starts[place] > latest[place].time { return misfit(place, starts) }
      }
      var isFitted = true
      for call in open {
        switch place(bounding: call, starts) {
        case .fits: continue
        case .never:
          refuse(call, call.claim == .saw(nil) ? "saw nothing" : "was refused because of something")
          return fault
        case .after(let place):
          begins(place, after: call.begin, call)
          isFitted = false
        }
      }
      if isFitted { return nil }
    }
  }

  private enum Fit {
    case fits, never
    /// Only if this state does not begin before the call.
    case after(Int)
  }

  /// Holds a call against the earliest times at which states began.
  private func place(bounding call: Call, _ starts: [Microseconds]) -> Fit {
    let (begin, end) = (call.begin, call.end)
    func ends(_ place: Int, before time: Microseconds) -> Bool {
      place < changes.count && starts[place + 1] <= time
    }
    switch call.claim {
    case .missed(let version?):
      guard let place = places[version] else { return .fits }
      return starts[place] >= begin || ends(place, before: end) ? .fits : .after(place)
    case .missed(nil):
      guard
        let place = starts.indices.first(where: { place in
          self.version(at: place) == nil && starts[place] < begin && !ends(place, before: end)
        })
      else { return .fits }
      return place == 0 ? .never : .after(place)
    case .saw:
      let first = call.shown.flatMap { places[$0] } ?? 0
      let last = starts.indices.last { place in
        place >= first && self.version(at: place) == nil && starts[place] <= end
      }
      guard let last else { return .never }
      return last == changes.count || starts[last + 1] >= begin ? .fits : .after(last + 1)
    case .wrote, .deleted, .sawDeletion: return .fits
    }
  }

  private func misfit(_ place: Int, _ starts: [Microseconds]) -> String {
    // What holds it up may be a change before it.
    let cause = earliest[...place].last { $0.time == starts[place] }?.operation ?? -1
    func name(_ operation: Int) -> String { operation < 0 ? "the store" : "\(operation)" }
    let state = version(at: place)?.description ?? "its deletion"
    return "\(state) begins at \(latest[place].time) at the latest, says "
      + "\(name(latest[place].operation)), and at \(starts[place]) at the earliest, says "
      + name(cause)
  }
}
