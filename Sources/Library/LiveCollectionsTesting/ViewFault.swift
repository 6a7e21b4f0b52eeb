public import DeltaEngine

/// What a list view would crash on or show wrongly.
public enum ViewFault: Error, Hashable, Sendable {
  /// A batch that breaks a law of deltas.
  case law(LawViolation)

  /// A batch for sections that are still busy with the one before.
  case overlap(sections: [Int])

  /// The content changed outside of a batch.
  case changedOutsideOfBatch(batch: Int)

  /// A batch with other counts than the data source has after it.
  case counts(batch: Int)

  /// A reload in the middle of a batch, before the view has got all of it.
  case reloadInsideBatch(batch: Int)

  /// A batch for a view that has not been loaded yet.
  case notLoaded
}
