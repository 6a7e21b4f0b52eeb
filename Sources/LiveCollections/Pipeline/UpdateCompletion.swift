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
      // It is called where it belongs, which is checked below; the language would have it awaited.
      call = unsafeBitCast(completion, to: (@Sendable (UpdateOutcome) -> Void).self)
    } else {
      call = { outcome in Task { await completion(outcome) } }
    }
  }

  /// Calls the completion; on the delivery queue.
  func callAsFunction(_ outcome: UpdateOutcome) {
    if !isOfMainActor || isOnMainQueue { return call(outcome) }
    DispatchQueue.main.async { [call] in call(outcome) }
  }
}

/// Whether this code runs on the main queue, as the main actor does.
private var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }

private let mainQueueKey = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
