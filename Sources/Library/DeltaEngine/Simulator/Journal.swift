/// A record of what the steps of a delta did, by id.
struct Journal: Sendable {
  var steps: [DeltaStep] = []
  var deletedItems: Set<Int> = []
  var insertedItems: Set<Int> = []
  var reloadedItems: Set<Int> = []
  var movedItems: [Int: Move] = [:]
  var deletedSections: Set<Int> = []
  var deletedSectionsOfStep: [Set<Int>] = []
  var insertedSections: Set<Int> = []
  var reloadedSections: Set<Int> = []
  var movedSections: Set<Int> = []
  var updatedHeaders: Set<Int> = []

  /// The ids of the sections that an item has left and entered.
  struct Move: Sendable {
    var from: Int
    var to: Int
  }
}
