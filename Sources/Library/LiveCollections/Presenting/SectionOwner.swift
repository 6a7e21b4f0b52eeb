/// A collection that is shown in one section of a view, or in all.
protocol SectionOwner: AnyObject, Sendable {
  /// Whether the collection is shown, through a synchronizer, in this section of the view, or in any for
  /// `nil`.
  @MainActor func owns(section: Int?, of view: any DeltaUpdatableView) -> Bool
}
