public import DeltaEngine

/// A view that a replica's content is handed to: lines of text, a simulator.
///
/// It shows nothing until `reloadData(_:)`; then each step leads from what it shows to `sections`.
/// Within a step, what comes or changes is to be taken from `target`, the version that all steps
/// together lead to, at the places that the step names. List views, which ask a data source, are
/// led by a `CollectionSectionData<ReplicaSection>` instead.
public protocol ReplicaView: AnyObject {
  /// Shows a content as it is, without animation.
  func reloadData(_ sections: [ReplicaSection])

  /// Performs one step: what one batch update of a list view does.
  ///
  /// - Parameters:
  ///   - step: The operations.
  ///   - sections: The content right after the step.
  ///   - target: The content after the last step.
  func perform(
    _ step: DeltaStep, showing sections: [ReplicaSection], towards target: [ReplicaSection])
}
