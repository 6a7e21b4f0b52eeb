import Dispatch

/// Hears the outcome of an update, where it was written: on the main actor, if there.
///
/// One that is isolated to no actor is called on the collection's delivery queue; one of the main
/// actor on the main queue, which the delivery queue usually is; one of another actor, by it.
public typealias UpdateCompletion = @isolated(any) @Sendable (UpdateOutcome) -> Void

/// A completion that can be called from the delivery queue.
struct UpdateReport: Sendable {
  private let call: @Sendable (UpdateOutcome) -> Void
  private let isOfMainActor: Bool

  init(_ completion: @escaping UpdateCompletion) {
    let actor = completion.isolation
    isOfMainActor = actor === MainActor.shared
    if actor == nil || isOfMainActor {
      // Where it is called is seen to below, so that its isolation need not be awaited.
      call = unsafeBitCast(completion, to: (@Sendable (UpdateOutcome) -> Void).self)
    } else {
      call = { outcome in Task { await completion(outcome) } }
    }
  }

  /// Calls the completion; on the delivery queue.
  func callAsFunction(_ outcome: UpdateOutcome, on delivery: WorkQueue) {
    if !isOfMainActor || delivery.isMain { return call(outcome) }
    DispatchQueue.main.async { [call] in call(outcome) }
  }
}
