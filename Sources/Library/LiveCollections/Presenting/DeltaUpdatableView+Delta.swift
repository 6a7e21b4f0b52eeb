public import DeltaEngine

// Showing a delta for a caller that keeps the content and chooses the time. Nothing is queued: do
// not start another one before the completion. If the delta does not fit the two versions, by their
// numbers of items, the view is reloaded.

extension DeltaUpdatableView {
  /// Shows a delta between two versions of the items of one section.
  ///
  /// - Parameters:
  ///   - delta: The delta from `source` to `target`.
  ///   - source: The items that the view shows.
  ///   - target: The items wanted.
  ///   - section: The section that shows them.
  ///   - animated: Whether to animate the batches.
  ///   - delivery: Where to call the view.
  ///   - content: Replaces the items by those after a batch.
  ///   - completion: Called when the view shows the target.
  public func perform<ItemType: UniquelyIdentifiable & Sendable>(
    _ delta: Delta, from source: [ItemType], to target: [ItemType], section: Int = 0,
    animated: Bool = true, delivery: WorkQueue = .main,
    content: @escaping @MainActor @Sendable ([ItemType]) -> Void,
    completion: @escaping @MainActor @Sendable () -> Void = {}
  ) {
    let fits = delta.fits(from: [source.count], to: [target.count])
    let stages = fits ? FlatShape.stages(delta, from: source, to: target) : nil
    show(
      stages?.map { ContentStage(step: $0.step.inSection(section), content: $0.content) }, target,
      section: section, animations: animated ? BatchAnimations() : .none, delivery: delivery,
      content: content, completion: completion)
  }

  /// Performs the steps of a list of one section whose content is in no array.
  ///
  /// - Parameters:
  ///   - steps: The steps; what they reload is configured again in its cells.
  ///   - animations: How to animate them.
  ///   - content: Replaces the content by that after all steps, as the first step does.
  ///   - didPerformBatch: Called after each batch, before its animation ends.
  ///   - completion: Called when the view shows the content.
  package func perform(
    _ steps: [DeltaStep], animations: BatchAnimations,
    content: @escaping @MainActor @Sendable () -> Void,
    didPerformBatch: @escaping @MainActor @Sendable () -> Void,
    completion: @escaping @MainActor @Sendable () -> Void
  ) {
    show(
      steps.map { ContentStage(step: $0, content: [Never]()) }, [], section: 0,
      animations: animations, reloads: .reconfigure, delivery: .main, content: { _ in content() },
      didPerformBatch: didPerformBatch, completion: completion)
  }

  /// Performs the stages, or reloads the view without any.
  fileprivate func show<Element: Sendable>(
    _ stages: [ContentStage<Element>]?, _ target: [Element], section: Int?,
    animations: BatchAnimations = BatchAnimations(), reloads: ItemReloadStyle = .reload,
    following: RowFollower? = nil, delivery: WorkQueue,
    content: @escaping @MainActor @Sendable ([Element]) -> Void,
    didPerformBatch: @escaping @MainActor @Sendable () -> Void = {},
    completion: @escaping @MainActor @Sendable () -> Void
  ) {
    let planned = (stages ?? []).map { stage in
      PresentationPlan.Stage(
        step: stage.step,
        itemCounts: Dictionary(
          stage.step.itemCounts.enumerated().map { ((section ?? 0) + $0, $1) },
          uniquingKeysWith: { $1 }),
        reconfigured: reloads == .reconfigure ? Set(stage.step.reload.items.map(\.at)) : [],
        animations: animations, isAnimated: animations != .none,
        applyContent: { content(stage.content) })
    }
    let once = Once()
    let plan = PresentationPlan(
      section: section, stages: planned, reloadsAll: stages == nil,
      applyContent: { once { content(target) } }, didPerformBatch: didPerformBatch,
      follow: following, completion: { _ in completion() })
    BatchRunner(view: self, plans: [plan], delivery: delivery) {}.run()
  }
}

extension SectionDeltaUpdatableView {
  /// Shows a delta between two versions of all sections.
  ///
  /// - Parameters:
  ///   - delta: The delta from `source` to `target`.
  ///   - source: The sections that the view shows.
  ///   - target: The sections wanted.
  ///   - animations: How to animate the batches; `.none` for no animation.
  ///   - delivery: Where to call the view.
  ///   - content: Replaces the sections by those after a batch.
  ///   - completion: Called when the view shows the target.
  public func perform<SectionType: UniquelyIdentifiableSection & Sendable>(
    _ delta: Delta, fromSections source: [SectionType], toSections target: [SectionType],
    animations: BatchAnimations = BatchAnimations(), delivery: WorkQueue = .main,
    content: @escaping @MainActor @Sendable ([SectionType]) -> Void,
    completion: @escaping @MainActor @Sendable () -> Void = {}
  ) where SectionType.DataType: Sendable {
    perform(
      delta, fromSections: source, toSections: target, animations: animations, reloads: .reload,
      following: nil, delivery: delivery, content: content, completion: completion)
  }

  /// Shows a delta, and keeps the first visible row where it is if a follower is given.
  package func perform<SectionType: UniquelyIdentifiableSection & Sendable>(
    _ delta: Delta, fromSections source: [SectionType], toSections target: [SectionType],
    animations: BatchAnimations, reloads: ItemReloadStyle, following: RowFollower?,
    delivery: WorkQueue = .main, content: @escaping @MainActor @Sendable ([SectionType]) -> Void,
    completion: @escaping @MainActor @Sendable () -> Void
  ) where SectionType.DataType: Sendable {
    let fits = delta.fits(from: source.map(\.items.count), to: target.map(\.items.count))
    let delta = updatesHeaders ? delta.separatingHeaders() : delta
    show(
      fits ? SectionedShape.stages(delta, from: source, to: target) : nil, target, section: nil,
      animations: animations, reloads: reloads, following: following, delivery: delivery,
      content: content, completion: completion)
  }
}

extension Delta {
  /// Whether the delta is between versions with so many items in each section.
  func fits(from source: [Int], to target: [Int]) -> Bool {
    isEmpty ? source == target : source == sourceItemCounts && target == targetItemCounts
  }
}
