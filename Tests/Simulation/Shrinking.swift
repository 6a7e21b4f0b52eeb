/// Finds a short plan that breaks a law, from one that does.
enum Shrinking {
  /// Returns the shortest plan found.
  ///
  /// Faults are left out kind by kind, then operations: first many at a time, in the end one by one.
  /// Each has random numbers of its own, so that the others stay what they are.
  static func shortest(of plan: Plan, runsMax: Int = 400) -> Plan {
    var best = plan
    var runs = 0
    func attempt(_ plan: Plan) -> Bool {
      guard runs < runsMax, plan != best else { return false }
      runs += 1
      guard Simulation.run(plan).violation != nil else { return false }
      best = plan
      return true
    }
    for kind in FaultKind.allCases where best.chosenFaults.contains(kind) {
      var plan = best
      plan.faults.remove(kind)
      _ = attempt(plan)
    }
    var operations = Simulation.run(best).operations
    var size = max(1, operations.count / 2)
    while size >= 1, runs < runsMax {
      var start = 0
      while start < operations.count {
        var rest = operations
        rest.removeSubrange(start..<min(start + size, rest.count))
        var plan = best
        plan.operations = Set(rest)
        if attempt(plan) { operations = rest } else { start += size }
      }
      size = size == 1 ? 0 : size / 2
    }
    return best
  }
}
