import Dispatch

/// Is called with the outcome of an update, on the main actor.
public typealias UpdateCompletion = @MainActor @Sendable (UpdateOutcome) -> Void

/// Calls a completion, from the delivery queue: at once if that is the main queue; else later, in the order of
/// the calls.
func call<Outcome: Sendable>(
  _ completion: @escaping @MainActor @Sendable (Outcome) -> Void, with outcome: Outcome
) {
  if DispatchQueue.getSpecific(key: mainQueueKey) == true {
    MainActor.assumeIsolated { completion(outcome) }
  } else {
    WorkQueue.main.deliver { completion(outcome) }
  }
}

private let mainQueueKey = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
