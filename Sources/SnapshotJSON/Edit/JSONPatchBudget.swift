/// The remaining steps of applying a patch: about one for each value visited, copied or moved.
///
/// A patch of one kilobyte can refer to the whole document in each operation: the limits on bytes
/// and depth bound the result, steps bound the time.
struct JSONPatchBudget {
  private var stepsLeft: Int

  init(stepsMax: Int) { stepsLeft = stepsMax }

  /// Whether the steps are exhausted.
  var isOver: Bool { stepsLeft < 0 }

  mutating func spend(_ steps: Int) { stepsLeft -= steps }
}
