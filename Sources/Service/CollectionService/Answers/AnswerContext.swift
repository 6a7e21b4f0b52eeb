import VersionedCollections

/// What answers are made with, on any queue.
struct AnswerContext: Sendable {
  let encoders: AnswerEncoders
  /// Validates each delta before it is sent.
  let judge: DeltaJudge
  let cache: AnswerCache
  let counters: ServiceCounters
  let time: TimeSource
  /// The views that cost too much lately.
  let refusals = ViewRefusals()
  /// Called with each internal fault.
  let faults: FaultSink
  let liveLimits: LiveLimits
  let renewals: RenewalMarks

  /// The limits in force; several of them that belong together are taken from one copy.
  var limits: ServiceLimits { liveLimits.current }
}
