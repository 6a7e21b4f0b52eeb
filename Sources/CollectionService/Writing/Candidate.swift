import DeltaEngine
import SnapshotJSON

/// What a write wants the next version to be.
struct Candidate {
  let sections: [StructureSection]
  let contents: Contents
  /// The hash of `meta`.
  let meta: ContentHash?
  var overrides = HashOverrides()
  /// Other settings that come with it.
  var settings: CollectionSettings?
}

extension IDTable {
  /// What a snapshot makes of a collection.
  ///
  /// - Parameters:
  ///   - parsed: The snapshot.
  ///   - settings: The collection's.
  ///   - head: The head's structure, empty for a collection that is new.
  ///   - overrides: What the head shows as other than it is.
  ///   - tools: For collections that are arranged by rule.
  /// - Returns: The next version's parts.
  /// - Throws: `badSnapshot` for sections where the settings make them.
  mutating func candidate(
    _ parsed: ParsedSnapshot, _ settings: CollectionSettings, head: [StructureSection],
    overrides: HashOverrides, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    let contents = Contents(parsed.snapshot, hasMeta: parsed.meta != nil)
    if settings.arranges {
      let mayHaveSections = settings.sectionRule == nil || !parsed.isSent
      guard mayHaveSections || parsed.snapshot.isFlat || parsed.snapshot.version != nil else {
        throw .badSnapshot(
          SnapshotError(
            .badSnapshot, "/sections",
            "the collection's sections are made by its setting sectionBy: send items"))
      }
      var draft = Draft(parsed.snapshot, contents, self, overrides)
      try draft.finish(settings, tools)
      self = draft.ids
      return draft.candidate(sharing: head, meta: parsed.meta)
    }
    let sections = structure(of: parsed.snapshot, sharing: head, overrides: overrides)
    return Candidate(
      sections: sections, contents: contents, meta: parsed.meta,
      overrides: overrides.kept(in: sections))
  }
}

extension Draft {
  /// Puts everything where the settings want it.
  mutating func finish(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) {
    do throws(EditFault) {
      if settings.arranges { try arrange(by: settings, tools) }
      try nameOccurrences(settings, tools)
    } catch {
      throw error.ofWhole
    }
    if settings.arranges { try checkSize(tools.limits) }
  }

  /// Takes the hashes of contents under another rule of equality; what is shown stays.
  mutating func compareAnew(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) {
    do throws(EditFault) {
      try rehash(settings.itemOptions, tools)
    } catch {
      throw error.ofWhole
    }
  }

  /// The next version's parts.
  func candidate(
    sharing head: [StructureSection], meta: ContentHash?
  ) -> Candidate {
    let sections = structure(sharing: head)
    return Candidate(
      sections: sections, contents: contents, meta: meta, overrides: overrides.kept(in: sections))
  }

  /// Sees that rules have not made more sections than a collection may have.
  func checkSize(_ limits: ServiceLimits) throws(ServiceError) {
    guard sections.count <= limits.sectionsMax else {
      throw .badSnapshot(.tooManySections(sections.count, limit: limits.sectionsMax))
    }
  }
}
