public import DeltaEngine

/// What a list view would have crashed on, or shown wrongly.
public enum ViewFault: Error, Hashable, Sendable {
  /// A batch that breaks a law of deltas.
  case law(LawViolation)

  /// A batch for sections that are still busy with the one before.
  case overlap(sections: [Int])

  /// The data source answers otherwise than the view shows, though no batch said so.
  case changedOutsideOfBatch(batch: Int)

  /// A batch that announces other counts than the data source has after it.
  case counts(batch: Int)

  /// A reload in the middle of a batch, before the view has got all of it.
  case reloadInsideBatch(batch: Int)

  /// A batch for a view that has not been loaded yet.
  case notLoaded
}
