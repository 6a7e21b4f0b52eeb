import DeltaEngine
public import LiveDeltaClient

extension DeltaAnswer {
  /// The answer as text, one line per change.
  ///
  /// The contents that it applies to are unknown here, so deleted and moved elements are identified
  /// by position.
  public var lines: [String] {
    switch self {
    case .deleted: return ["deleted"]
    case .unchanged(let version, _, _): return ["no news: \(version) is the newest"]
    case .snapshot(let snapshot):
      let reason = snapshot.reset.map { " (reset: \($0.reason))" } ?? ""
      return ["snapshot \(snapshot.version)\(reason)"] + snapshot.lines
    case .delta(let delta):
      return ["delta to \(delta.to)"] + delta.changeLines.map(\.description)
        + delta.deleted.map { "gone: \($0.text.printable)" }
    }
  }
}

extension WireSnapshot {
  /// All sections and items as text, one per line.
  public var lines: [String] { Namer().outline(sections) }
}

extension WireDelta {
  /// The changes, one per line.
  package var changeLines: [ChangeLine] { steps.flatMap(lines) }

  private func lines(_ step: WireStep) -> [ChangeLine] {
    let namer = Namer()
    func section(_ id: ReplicaID) -> String {
      sections[id].map { namer.name($0) } ?? id.text.printable
    }
    func item(_ id: ReplicaID) -> String {
      items[id].map { namer.name($0) } ?? id.text.printable
    }
    func lines<Place>(
      _ mark: ChangeLine.Mark, _ places: [Place], _ text: (Place) -> String
    ) -> [ChangeLine] {
      places.map { ChangeLine(mark: mark, text: text($0)) }
    }
    var all = lines(.deleted, step.deletedSections) { "section \($0)" }
    all += lines(.deleted, step.deletedItems) { "\($0)" }
    for insert in step.insertedSections {
      all += ChangeLine.lines(
        inserting: section(insert.id), insert.items.map(item), at: insert.at.index)
    }
    all += lines(.inserted, step.insertedItems) { "\($0.at) \(item($0.id))" }
    all += lines(.moved, step.movedSections) { "section \($0.from) to \($0.to)" }
    all += lines(.moved, step.movedItems) { "\($0.from) to \($0.to)" }
    all += lines(.reloaded, step.reloadedSections) { "section \($0.at) \(section($0.id))" }
    return all + lines(.reloaded, step.reloadedItems) { "\($0.at) \(item($0.id))" }
  }
}
