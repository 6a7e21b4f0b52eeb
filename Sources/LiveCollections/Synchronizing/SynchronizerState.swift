/// What waits in a synchronizer.
struct SynchronizerState: Sendable {
  /// An update of one member.
  struct Member: Sendable {
    var plan: PresentationPlan
    weak var view: (any DeltaUpdatableView)?
    var delivery: WorkQueue
    /// Tells views apart, also after they are gone.
    var viewID: ObjectIdentifier

    init(plan: PresentationPlan, view: any DeltaUpdatableView, delivery: WorkQueue) {
      self.plan = plan
      self.view = view
      self.delivery = delivery
      viewID = ObjectIdentifier(view)
    }
  }

  /// Groups that are not waiting any longer, each for one view and with each section once.
  private var due: [[Member]] = []
  /// Those that wait for the delay to pass.
  private var waiting: [Member] = []
  private var isArmed = false
  /// Whether a view is being led.
  var isRunning = false

  /// Set when the delay has passed: all that waits is due.
  var isDue: Bool {
    get { !due.isEmpty }
    set {
      isArmed = false
      flush()
    }
  }

  /// Adds a member's update.
  ///
  /// - Returns: Whether the timer must be started, and whether something became due: an earlier
  ///   update of the same section cannot be in one batch with this one, so all before it goes first.
  mutating func add(_ member: Member) -> (arms: Bool, flushes: Bool) {
    let collides = waiting.contains {
      $0.viewID == member.viewID && ($0.plan.section == member.plan.section)
    }
    if collides { flush() }
    waiting.append(member)
    defer { isArmed = true }
    return (!isArmed, collides)
  }

  /// Takes the next group, if none is running.
  mutating func start() -> [Member]? {
    if isRunning || due.isEmpty { return nil }
    isRunning = true
    return due.removeFirst()
  }

  private mutating func flush() {
    for member in waiting {
      let group = due.lastIndex { $0.first?.viewID == member.viewID && $0.isOpen(for: member) }
      if let group { due[group].append(member) } else { due.append([member]) }
    }
    waiting = []
  }
}

extension [SynchronizerState.Member] {
  /// Whether no member of the group has the section of this one.
  fileprivate func isOpen(for member: SynchronizerState.Member) -> Bool {
    !contains { $0.plan.section == member.plan.section }
  }
}
