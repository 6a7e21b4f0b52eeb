import DeltaEngine
import LiveCollectionsClient

/// What a replay has seen so far.
struct ReplayStatistics {
  var versions = 0
  var exact = 0
  /// The first few versions that were not exact, and why.
  var faults: [String] = []

  var inserted = 0
  var deleted = 0
  var moved = 0
  var reloaded = 0
  var sectionOperations = 0
  /// How many deltas had so many steps, from none to four.
  var deltasBySteps = [0, 0, 0, 0, 0]
  /// Answers to a reader who held the version before that were no delta.
  var resets = 0
  var unchanged = 0

  var deltaBytes = 0
  /// Snapshots of the same versions, the first left out: what a reader without deltas loads.
  var snapshotBytes = 0

  var catchUpsByDelta = 0
  var catchUpsBySnapshot = 0

  var putTimes: [Duration] = []
  var total = Duration.zero

  var operations: Int { inserted + deleted + moved + reloaded + sectionOperations }
  var steps: Int { deltasBySteps.enumerated().reduce(0) { $0 + $1.offset * $1.element } }
  var isPerfect: Bool { exact == versions && faults.isEmpty }

  /// Counts what a delta did.
  mutating func count(_ delta: Delta) {
    deltasBySteps[min(delta.steps.count, deltasBySteps.count - 1)] += 1
    inserted += delta.changes.insertedItems.count
    deleted += delta.changes.deletedItems.count
    moved += delta.changes.movedItems.count
    reloaded += delta.changes.reloadedItems.count
    sectionOperations +=
      delta.changes.insertedSections.count + delta.changes.deletedSections.count
      + delta.changes.movedSections.count + delta.changes.reloadedSections.count
  }

  /// Notes what is not as it should be.
  mutating func note(_ fault: String) { faults.append("version \(versions): \(fault)") }

  /// The time within which so large a part of the PUTs was answered.
  func putTime(_ part: Double) -> Duration {
    let sorted = putTimes.sorted()
    guard !sorted.isEmpty else { return .zero }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
