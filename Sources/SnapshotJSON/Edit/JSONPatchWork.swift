/// How much more an application of a patch may do, in steps: about one for each value that is
/// visited, copied or moved.
///
/// A patch of a kilobyte can name all of a document in each of its operations: bytes and depth
/// bound what comes of it, steps bound the time that it takes.
struct JSONPatchWork {
  private var stepsLeft: Int

  init(stepsMax: Int) { stepsLeft = stepsMax }

  /// Whether more was done than may be.
  var isOver: Bool { stepsLeft < 0 }

  mutating func spend(_ steps: Int) { stepsLeft -= steps }
}
