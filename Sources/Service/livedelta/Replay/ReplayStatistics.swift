import DeltaEngine
import LiveDeltaClient

struct ReplayStatistics {
  var versions = 0
  var exact = 0
  /// The discrepancies found, each with its version.
  var faults: [String] = []

  var inserted = 0
  var deleted = 0
  var moved = 0
  var reloaded = 0
  var sectionOperations = 0
  /// The number of deltas by their number of steps; the last counts four or more.
  var deltasBySteps = [0, 0, 0, 0, 0]
  /// Answers other than a delta to the reader that held the preceding version.
  var resets = 0
  var unchanged = 0

  var deltaBytes = 0
  /// The total size of the snapshots after the first: what a reader without deltas would load.
  var snapshotBytes = 0

  var catchUpsByDelta = 0
  var catchUpsBySnapshot = 0

  var putTimes: [Duration] = []
  var total = Duration.zero

  var operations: Int { inserted + deleted + moved + reloaded + sectionOperations }
  var steps: Int { deltasBySteps.enumerated().reduce(0) { $0 + $1.offset * $1.element } }
  var isPerfect: Bool { exact == versions && faults.isEmpty }

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

  mutating func note(_ fault: String) { faults.append("version \(versions): \(fault)") }

  /// Returns a quantile of the PUT times; `part` is from 0 to 1.
  func putTime(_ part: Double) -> Duration {
    let sorted = putTimes.sorted()
    guard !sorted.isEmpty else { return .zero }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
