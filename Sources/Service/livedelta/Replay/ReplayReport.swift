import SnapshotJSON

struct ReplayReport {
  let statistics: ReplayStatistics
  let seed: UInt64

  var verdict: String { "\(statistics.exact) of \(statistics.versions) exact" }

  var lines: [String] {
    var table = TextTable()
    table.add("versions", Figure.count(statistics.versions))
    table.add("operations", Figure.count(statistics.operations))
    table.add("  items inserted", Figure.count(statistics.inserted))
    table.add("  items deleted", Figure.count(statistics.deleted))
    table.add("  items moved", Figure.count(statistics.moved))
    table.add("  items reloaded", Figure.count(statistics.reloaded))
    table.add("  of sections", Figure.count(statistics.sectionOperations))
    table.add("steps, all lawful", Figure.count(statistics.steps))
    for (steps, deltas) in statistics.deltasBySteps.enumerated() where deltas > 0 {
      table.add("  deltas of \(steps)", Figure.count(deltas))
    }
    table.add("catch-ups in one delta", Figure.count(statistics.catchUpsByDelta))
    table.add("catch-ups by snapshot", Figure.count(statistics.catchUpsBySnapshot))
    table.add("bytes of snapshots", Figure.bytes(statistics.snapshotBytes))
    table.add("bytes of deltas", Figure.bytes(statistics.deltaBytes))
    table.add(
      "  of the snapshots", Figure.share(statistics.deltaBytes, of: statistics.snapshotBytes))
    table.add("a PUT, median", Figure.time(statistics.putTime(0.5)))
    table.add("a PUT, 99 of 100", Figure.time(statistics.putTime(0.99)))
    table.add("time", Figure.time(statistics.total))
    return table.lines + ["seed \(seed)"] + statistics.faults.prefix(20).map { "fault: \($0)" }
      + [verdict]
  }

  var json: [UInt8] {
    JSONWriter.object {
      for (name, value) in figures { $0.member(name, value) }
      $0.array("stepsByDelta", statistics.deltasBySteps) { $0.number($1) }
      $0.member("seed", String(seed))
      $0.array("faults", statistics.faults) { $0.string($1) }
    }
  }

  private var figures: KeyValuePairs<StaticString, Int> {
    [
      "versions": statistics.versions, "exact": statistics.exact,
      "operations": statistics.operations, "inserted": statistics.inserted,
      "deleted": statistics.deleted, "moved": statistics.moved, "reloaded": statistics.reloaded,
      "sectionOperations": statistics.sectionOperations, "steps": statistics.steps,
      "resets": statistics.resets, "unchanged": statistics.unchanged,
      "catchUpsByDelta": statistics.catchUpsByDelta,
      "catchUpsBySnapshot": statistics.catchUpsBySnapshot,
      "snapshotBytes": statistics.snapshotBytes, "deltaBytes": statistics.deltaBytes,
      "putMedianMicroseconds": microseconds(statistics.putTime(0.5)),
      "putP99Microseconds": microseconds(statistics.putTime(0.99)),
      "microseconds": microseconds(statistics.total),
    ]
  }

  private func microseconds(_ time: Duration) -> Int { Int(Figure.seconds(time) * 1e6) }
}
