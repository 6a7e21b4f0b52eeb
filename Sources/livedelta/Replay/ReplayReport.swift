import SnapshotJSON

/// A replay's figures, for people and for programs.
struct ReplayReport {
  let tally: ReplayTally
  let seed: UInt64

  /// The closing line.
  var verdict: String { "\(tally.exact) of \(tally.versions) exact" }

  /// The table, and the closing line last.
  var lines: [String] {
    var table = TextTable()
    table.add("versions", Figure.count(tally.versions))
    table.add("operations", Figure.count(tally.operations))
    table.add("  items inserted", Figure.count(tally.inserted))
    table.add("  items deleted", Figure.count(tally.deleted))
    table.add("  items moved", Figure.count(tally.moved))
    table.add("  items reloaded", Figure.count(tally.reloaded))
    table.add("  of sections", Figure.count(tally.sectionOperations))
    table.add("steps, all lawful", Figure.count(tally.steps))
    for (steps, deltas) in tally.deltasBySteps.enumerated() where deltas > 0 {
      table.add("  deltas of \(steps)", Figure.count(deltas))
    }
    table.add("catch-ups in one delta", Figure.count(tally.catchUpsByDelta))
    table.add("catch-ups by snapshot", Figure.count(tally.catchUpsBySnapshot))
    table.add("bytes of snapshots", Figure.bytes(tally.snapshotBytes))
    table.add("bytes of deltas", Figure.bytes(tally.deltaBytes))
    table.add("  of the snapshots", Figure.share(tally.deltaBytes, of: tally.snapshotBytes))
    table.add("a PUT, median", Figure.time(tally.putTime(0.5)))
    table.add("a PUT, 99 of 100", Figure.time(tally.putTime(0.99)))
    table.add("time", Figure.time(tally.total))
    return table.lines + ["seed \(seed)"] + tally.faults.prefix(20).map { "fault: \($0)" }
      + [verdict]
  }

  /// One JSON object.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in figures {
      writer.key(name)
      writer.number(value)
    }
    writer.key("stepsByDelta")
    writer.beginArray()
    for count in tally.deltasBySteps { writer.number(count) }
    writer.endArray()
    writer.key("seed")
    writer.string(String(seed))
    writer.key("faults")
    writer.beginArray()
    for fault in tally.faults { writer.string(fault) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private var figures: [(String, Int)] {
    [
      ("versions", tally.versions), ("exact", tally.exact), ("operations", tally.operations),
      ("inserted", tally.inserted), ("deleted", tally.deleted), ("moved", tally.moved),
      ("reloaded", tally.reloaded), ("sectionOperations", tally.sectionOperations),
      ("steps", tally.steps), ("resets", tally.resets), ("unchanged", tally.unchanged),
      ("catchUpsByDelta", tally.catchUpsByDelta),
      ("catchUpsBySnapshot", tally.catchUpsBySnapshot),
      ("snapshotBytes", tally.snapshotBytes), ("deltaBytes", tally.deltaBytes),
      ("putMedianMicroseconds", microseconds(tally.putTime(0.5))),
      ("putP99Microseconds", microseconds(tally.putTime(0.99))),
      ("microseconds", microseconds(tally.total)),
    ]
  }

  private func microseconds(_ time: Duration) -> Int { Int(Figure.seconds(time) * 1e6) }
}
