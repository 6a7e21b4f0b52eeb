struct SynchronizerState: Sendable {
  /// An update of one member.
  struct Member: Sendable {
    var plan: PresentationPlan
    weak var view: (any DeltaUpdatableView)?
    var delivery: WorkQueue

    /// Whether both are shown by one view, or by views that were released.
    func sharesView(with other: Member) -> Bool { view === other.view }

    /// Whether both cannot be in one batch.
    func collides(with other: Member) -> Bool {
      sharesView(with: other) && plan.section == other.plan.section
    }
  }

  /// Groups that are due, each for one view and with each section once.
  private var due: [[Member]] = []
  /// Those that wait for the delay to pass.
  private var waiting: [Member] = []
  private var isArmed = false
  var isRunning = false
  /// The collections that were shown.
  private var owners: [WeakOwner] = []

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
  ///   update of the same section cannot be in one batch with this one, so all before it is shown
  ///   first.
  mutating func add(_ member: Member) -> (arms: Bool, flushes: Bool) {
    let collides = waiting.contains { $0.collides(with: member) }
    if collides { flush() }
    waiting.append(member)
    defer { isArmed = true }
    return (!isArmed, collides)
  }

  /// The collections that were shown before this one and are still there.
  mutating func others(than owner: any SectionOwner) -> [any SectionOwner] {
    let others = owners.compactMap(\.owner).filter { $0 !== owner }
    owners = (others + [owner]).map { WeakOwner(owner: $0) }
    return others
  }

  mutating func start() -> [Member]? {
    if isRunning || due.isEmpty { return nil }
    isRunning = true
    return due.removeFirst()
  }

  private mutating func flush() {
    for member in waiting {
      // Only the view's last group: updates of one section keep their order.
      let last = due.lastIndex { $0.contains { $0.sharesView(with: member) } }
      if let last, !due[last].contains(where: { $0.collides(with: member) }) {
        due[last].append(member)
      } else {
        due.append([member])
      }
    }
    waiting = []
  }
}

private struct WeakOwner: Sendable {
  weak var owner: (any SectionOwner)?
}
