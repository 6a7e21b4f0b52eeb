public import DeltaEngine

/// A view of a sectioned list that changes can be shown in: UIKit's, a simulator, lines of text.
///
/// It shows nothing until `reloadData(_:)`; then each step leads from what it shows to `sections`.
/// Within a step, what comes or changes is to be taken from `target`, the version that all steps
/// together lead to, at the places that the step names.
public protocol SectionDeltaUpdatableView<SectionType>: AnyObject {
  /// The type of the sections that it shows.
  associatedtype SectionType: DiffableSection

  /// Shows a content as it is, without animation.
  func reloadData(_ sections: [SectionType])

  /// Performs one step: what one batch update of a list view does.
  ///
  /// - Parameters:
  ///   - step: The operations.
  ///   - sections: The content right after the step.
  ///   - target: The content after the last step.
  func perform(_ step: DeltaStep, showing sections: [SectionType], towards target: [SectionType])
}
