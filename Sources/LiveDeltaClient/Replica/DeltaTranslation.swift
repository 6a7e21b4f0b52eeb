import DeltaEngine

/// Translates a wire delta, which identifies contents by id, to the engine's form, which uses
/// positions.
struct DeltaTranslation {
  let wire: WireDelta
  let source: Places<Source>
  let target: Places<Target>
  /// The sections before each step.
  let befores: [[ReplicaSection]]

  /// Returns the engine's delta.
  ///
  /// - Throws: `StepFault` if an id is not in its version.
  func delta() throws(StepFault) -> Delta {
    var steps: [DeltaStep] = []
    for step in wire.steps { steps.append(try translate(step)) }
    return Delta(
      changes: try changes(), steps: steps,
      sourceItemCounts: steps.isEmpty ? [] : befores.first?.map(\.items.count) ?? [],
      targetItemCounts: steps.last?.itemCounts ?? [])
  }

  private func translate(_ step: WireStep) throws(StepFault) -> DeltaStep {
    var result = DeltaStep()
    result.delete.sections = step.deletedSections
    result.delete.items = step.deletedItems
    result.move.sections = step.movedSections
    result.move.items = step.movedItems
    result.itemCounts = step.counts
    for insert in step.insertedSections {
      let place = try target.section(insert.id)
      var items: [Int] = []
      for id in insert.items {
        let path = try target.item(id)
        guard path.section == place.index else {
          throw StepFault("item \"\(id)\" comes with section \"\(insert.id)\" and leaves it")
        }
        items.append(path.item)
      }
      result.insert.sections.append(SectionInsert(at: insert.at, target: place, items: items))
    }
    for insert in step.insertedItems {
      result.insert.items.append(
        ItemInsert(at: insert.at, target: try target.item(insert.id)))
    }
    for reload in step.reloadedSections {
      result.reload.sections.append(
        SectionReload(at: reload.at, target: try target.section(reload.id)))
    }
    for reload in step.reloadedItems {
      result.reload.items.append(
        ItemReload(at: reload.at, target: try target.item(reload.id)))
    }
    return result
  }

  /// Returns the changes as the wire lists them: `deleted`, and inserted or changed `items` and
  /// `sections`.
  ///
  /// Moves and deleted sections are not listed; they are derived from the steps and ids.
  private func changes() throws(StepFault) -> DeltaChanges {
    var changes = DeltaChanges()
    let items = try arrivals(wire.items.keys, source.items, target.item)
    changes.insertedItems = items.inserted
    changes.reloadedItems = items.reloaded.map {
      ItemPathPair(source: $0.source, target: $0.target)
    }
    for id in wire.deleted { changes.deletedItems.append(try source.item(id)) }
    changes.deletedItems.sort()
    let sections = try arrivals(wire.sections.keys, source.sections, target.section)
    changes.insertedSections = sections.inserted
    changes.reloadedSections = sections.reloaded.map {
      SectionIndexPair(source: $0.source, target: $0.target)
    }
    changes.deletedSections = source.sections.filter { target.sections[$0.key] == nil }.values
      .sorted()
    try collectMoves(&changes)
    return changes
  }

  /// Divides what comes with its content into what is new and what is known, each ascending.
  private func arrivals<Old, New: Comparable>(
    _ ids: some Sequence<ReplicaID>, _ known: [ReplicaID: Old],
    _ place: (ReplicaID) throws(StepFault) -> New
  ) throws(StepFault) -> (inserted: [New], reloaded: [(source: Old, target: New)]) {
    var inserted: [New] = []
    var reloaded: [(source: Old, target: New)] = []
    for id in ids {
      let new = try place(id)
      if let old = known[id] { reloaded.append((old, new)) } else { inserted.append(new) }
    }
    return (inserted.sorted(), reloaded.sorted { $0.target < $1.target })
  }

  private func collectMoves(_ changes: inout DeltaChanges) throws(StepFault) {
    for (step, before) in zip(wire.steps, befores) {
      for move in step.movedItems {
        guard let id = before.item(at: move.from)?.id else { continue }
        changes.movedItems.append(
          ItemPathPair(source: try source.item(id), target: try target.item(id)))
      }
      for move in step.movedSections where before.indices.contains(move.from.index) {
        let id = before[move.from.index].id
        changes.movedSections.append(
          SectionIndexPair(source: try source.section(id), target: try target.section(id)))
      }
    }
    changes.movedItems.sort { $0.target < $1.target }
    changes.movedSections.sort { $0.target < $1.target }
  }
}
