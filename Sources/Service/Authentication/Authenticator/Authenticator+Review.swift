import Synchronization

extension Authenticator {
  /// Notifies streams whose authorization has changed or ended, and asks the backend about those whose verdict has
  /// expired.
  ///
  /// Reviews run one after another, so that each stream is notified last of the present state. One that is asked for
  /// while another runs is left to that one.
  func review() {
    if let count = credentials.forward?.tick() { report(.unanswered(questions: count)) }
    let isFirst = reviews.withLock { count in
      count += 1
      return count == 1
    }
    guard isFirst else { return }
    var isDone = false
    while !isDone {
      let count = reviews.withLock(\.self)
      reviewAll()
      isDone = reviews.withLock { latest in
        defer { if latest == count { latest = 0 } }
        return latest == count
      }
    }
  }

  private func reviewAll() {
    let now = credentials.now()
    for (id, watch) in watches.all {
      if watch.subject.isForwarded {
        reviewVerdict(id, watch, now)
      } else if !watch.subject.isCurrent {
        settle(id, Result { () throws(Refusal) in try watch.subject.current() })
      }
    }
  }

  /// Asks the backend about a stream whose verdict has expired.
  ///
  /// Meanwhile the stream continues, also without an answer until the grace period is over.
  private func reviewVerdict(
    _ id: UInt64, _ watch: Watches<Authorization>.Watch, _ now: Int64
  ) {
    if let latest = watch.subject.byCachedVerdict {
      settle(id, latest)
    } else if !watch.isAsking, watch.subject.isDue(now) {
      watches.noteAsking(id)
      watch.subject.ask(until: now + ForwardSource.graceSeconds) { self.settle(id, $0) }
    }
  }

  private func settle(_ id: UInt64, _ result: Result<Authorization, Refusal>) {
    switch result {
    case .failure(let refusal):
      if refusal == .unavailable { credentials.forward?.countUnverified() }
      watches.end(id, refusal)
    case .success(let authorization):
      watches.replace(id, by: authorization) { !authorization.hasSameViews(as: $0) }
    }
  }
}
