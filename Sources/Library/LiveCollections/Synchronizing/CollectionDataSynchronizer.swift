import DeltaEngine

/// Shows the updates of several collections together: those that arrive within a delay are one batch
/// of each view.
///
/// Each member is a `CollectionData` with its own section, or a `CollectionSectionData` with a view of
/// its own, whose batches come with those of the others: two that are shown in one section trap.
/// Members share a delivery queue. The order in which view, section and synchronizer are set does
/// not matter. A waiting update is never lost: if its collection is released, the view still shows
/// it; if the view is released, the contents still change and completions are still called.
///
/// ```swift
/// let synchronizer = CollectionDataSynchronizer(delay: .short)
/// for (section, data) in members.enumerated() {
///   data.section = section
///   data.synchronizer = synchronizer
///   data.view = table
/// }
/// ```
public final class CollectionDataSynchronizer: Sendable {
  /// How long the first update waits for others.
  public enum Delay: Hashable, Sendable {
    /// Until the delivery queue has done its current work.
    case none
    /// 10 ms.
    case short
    /// 100 ms.
    case long
    /// A duration of up to eleven days.
    case custom(Duration)

    var duration: Duration {
      switch self {
      case .none: .zero
      case .short: .milliseconds(10)
      case .long: .milliseconds(100)
      case .custom(let duration): duration
      }
    }
  }

  /// How long the first update waits for others.
  public let delay: Delay
  private let timer: DelayTimer
  private let state = Locked(SynchronizerState())

  /// A synchronizer without members.
  public init(delay: Delay = .short, timer: DelayTimer = .dispatch) {
    self.delay = delay
    self.timer = timer
  }

  @MainActor func add(_ plan: PresentationPlan, view: any DeltaUpdatableView, delivery: WorkQueue) {
    precondition(
      isAlone(plan, in: view),
      "two collections are shown in one view, in \(plan.section.map { "section \($0)" } ?? "all sections")"
    )
    let member = SynchronizerState.Member(plan: plan, view: view, delivery: delivery)
    let (arms, flushes) = state.withLock { $0.add(member) }
    if flushes { runNext() }
    guard arms else { return }
    let fire: @Sendable () -> Void = {
      delivery.deliver {
        self.state.withLock { $0.isDue = true }
        self.runNext()
      }
    }
    if delay == .none { fire() } else { timer.run(after: delay.duration, fire) }
  }

  /// Whether no other member is shown in the plan's section: each would tell the view of rows that
  /// its data source takes from the other.
  @MainActor private func isAlone(_ plan: PresentationPlan, in view: any DeltaUpdatableView) -> Bool
  {
    guard let owner = plan.owner else { return true }
    let others = state.withLock { $0.others(than: owner) }
    return !others.contains { $0.owns(section: plan.section, of: view) }
  }

  /// Shows the updates that are due, unless others are being shown.
  @MainActor private func runNext() {
    guard let members = state.withLock({ $0.start() }), let first = members.first else { return }
    let finish: @MainActor @Sendable () -> Void = {
      self.state.withLock { $0.isRunning = false }
      self.runNext()
    }
    let plans = members.map(\.plan)
    guard let view = first.view else {
      for plan in plans { plan.finishWithoutView() }
      return first.delivery.deliver(finish)
    }
    BatchRunner(view: view, plans: plans, delivery: first.delivery, completion: finish).run()
  }
}
