public import DeltaEngine

/// The change of a replica from one version to the next.
public struct ReplicaUpdate: Sendable {
  /// The contents before the change.
  public var source: [ReplicaSection]
  /// The contents after the change.
  public var target: [ReplicaSection]
  /// The delta between them, with positions in place of the ids on the wire.
  ///
  /// Its `changes` are the ones that the wire lists (`items`, `sections`, `deleted`). They are not
  /// derived from the steps, so that the engine's simulator can compare both.
  public var delta: Delta
  /// The contents after each step; the last is `target`.
  public var stages: [[ReplicaSection]]
  /// Whether a view should perform the steps; if not, reload it.
  public var isAnimated: Bool
}

extension ReplicaUpdate {
  /// Performs a wire delta on a list.
  ///
  /// - Parameters:
  ///   - wire: The delta.
  ///   - source: The contents of the version that it starts from.
  /// - Throws: `ReplicaError.badDelta` if it is inconsistent.
  /// - Complexity: O(*n*), where *n* is the number of items.
  public init(_ wire: WireDelta, from source: [ReplicaSection]) throws(ReplicaError) {
    let wire = try wire.patched(from: source)
    var stages: [[ReplicaSection]] = []
    for (index, step) in wire.steps.enumerated() {
      let performer = StepPerformer(step: step, items: wire.items, headers: wire.sections)
      do {
        stages.append(try performer.perform(on: stages.last ?? source))
      } catch {
        throw .badDelta(step: index, reason: error.reason)
      }
    }
    self.source = source
    self.stages = stages
    isAnimated = wire.isAnimated
    target = stages.last ?? source
    do {
      let before = try Places<Source>(source)
      let after = try Places<Target>(target)
      try wire.checkContents(of: target, after)
      let befores = [source] + stages.dropLast()
      delta = try DeltaTranslation(
        wire: wire, source: before, target: after, befores: befores
      ).delta()
    } catch {
      throw .badDelta(step: nil, reason: error.reason)
    }
  }
}

extension WireDelta {
  /// Checks that the steps lead to the contents that the delta brings, and delete what it says.
  fileprivate func checkContents(
    of target: [ReplicaSection], _ places: Places<Target>
  ) throws(StepFault) {
    for (id, item) in items {
      let path = try places.item(id)
      guard target[path.section].items[path.item].content == item.content else {
        throw StepFault("item \"\(id)\" comes with content and keeps its old one")
      }
    }
    for (id, section) in sections {
      guard target[try places.section(id).index].content == section.content else {
        throw StepFault("section \"\(id)\" comes with content and keeps its old one")
      }
    }
    for id in deleted where places.items[id] != nil {
      throw StepFault("item \"\(id)\" is deleted and stays")
    }
  }
}

/// The position of each id in one version.
struct Places<Space> {
  private(set) var sections: [ReplicaID: SectionIndex<Space>] = [:]
  private(set) var items: [ReplicaID: ItemPath<Space>] = [:]

  init(_ list: [ReplicaSection]) throws(StepFault) {
    items.reserveCapacity(list.reduce(0) { $0 + $1.items.count })
    for (index, section) in list.enumerated() {
      guard sections.updateValue(SectionIndex(index), forKey: section.id) == nil else {
        throw StepFault("section \"\(section.id)\" is there twice")
      }
      for (offset, item) in section.items.enumerated() {
        let path = ItemPath<Space>(section: index, item: offset)
        guard items.updateValue(path, forKey: item.id) == nil else {
          throw StepFault("item \"\(item.id)\" is there twice")
        }
      }
    }
  }

  func section(_ id: ReplicaID) throws(StepFault) -> SectionIndex<Space> {
    guard let index = sections[id] else { throw StepFault("there is no section \"\(id)\"") }
    return index
  }

  func item(_ id: ReplicaID) throws(StepFault) -> ItemPath<Space> {
    guard let path = items[id] else { throw StepFault("there is no item \"\(id)\"") }
    return path
  }
}
