package import DeltaEngine
import SnapshotJSON

/// The next version of a collection as a write requests it.
package struct Candidate {
  package let sections: [StructureSection]
  package let contents: Contents
  package let meta: ContentHash?
  package var overrides = HashOverrides()
  /// New settings; nil if they do not change.
  package var settings: CollectionSettings?
}

extension IDTable {
  /// Creates the candidate of a snapshot, adding its ids to the table; the head is empty for a new collection.
  ///
  /// Sections are refused if the settings make them.
  package mutating func candidate(
    _ parsed: ParsedSnapshot, _ settings: CollectionSettings, head: [StructureSection],
    overrides: HashOverrides, _ tools: EditTools
  ) throws(ServiceError) -> Candidate {
    let contents = Contents(parsed.snapshot, hasMeta: parsed.meta != nil)
    if settings.arranges {
      let mayHaveSections = settings.sectionRule == nil || !parsed.isSent
      guard mayHaveSections || parsed.snapshot.isFlat || parsed.snapshot.isServiceDocument else {
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
  /// Arranges the content by the settings and names repeated ids.
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

  /// Computes the hashes by another rule of equality, with overrides for what readers already have.
  mutating func compareAnew(
    _ settings: CollectionSettings, _ tools: EditTools
  ) throws(ServiceError) {
    do throws(EditFault) {
      try rehash(settings.itemOptions, tools)
    } catch {
      throw error.ofWhole
    }
  }

  func candidate(
    sharing head: [StructureSection], meta: ContentHash?
  ) -> Candidate {
    let sections = structure(sharing: head)
    return Candidate(
      sections: sections, contents: contents, meta: meta, overrides: overrides.kept(in: sections))
  }

  /// Throws if rules have made more sections than a collection may have.
  func checkSize(_ limits: ServiceLimits) throws(ServiceError) {
    guard sections.count <= limits.sectionsMax else {
      throw .badSnapshot(.tooManySections(sections.count, limit: limits.sectionsMax))
    }
  }
}
