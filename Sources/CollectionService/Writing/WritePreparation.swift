import DeltaEngine
import LiveCollections
import SnapshotJSON

/// Prepares a write: from what a collection is and what a writer wants, to what comes of it.
///
/// It needs no shard, no store and no clock, so that any queue can do it.
struct WritePreparation {
  /// What a write finds when its turn has come.
  struct Base: Sendable {
    /// The collection's version, also where only the store has it; nil when there is none.
    var head: VersionToken?
    /// The collection; nil when there is none, or a write needs no more than its version.
    var state: CollectionState?
    /// What a collection that is made begins.
    var lineage: String
    /// How many more collections the client may have.
    var room: Int
  }

  let reader: JSONReader
  let limits: ServiceLimits
  /// Seconds since 1970.
  let date: Int64

  /// Decides what a write comes to.
  func prepare(_ write: Write, _ base: Base) -> PreparedWrite {
    var base = base
    base.state?.reclaimIDs()
    do throws(ServiceError) {
      // RFC 9110 §13.2.1: a request that would fail anyway fails for that reason.
      let change = try ReadChange(write.change, of: base.state, reader, limits)
      if limits.requiresPrecondition, write.lacksPrecondition { throw .preconditionRequired }
      let precondition = try change.completed(write.precondition)
      if let error = precondition.failure(head: base.head, settings: base.state?.settings) {
        throw error
      }
      return try prepare(change, write.name, base)
    } catch {
      return PreparedWrite(write.name, ServiceFailure(error, current: base.head))
    }
  }

  private func prepare(
    _ change: ReadChange, _ name: ResourceName, _ base: Base
  ) throws(ServiceError) -> PreparedWrite {
    switch (change, base.state) {
    case (.delete, _):
      guard let head = base.head else { break }
      var receipt = WriteReceipt(unchanged: head)
      receipt.isDeleted = true
      return PreparedWrite(name, .delete, .delete, receipt)
    case (.put(let parsed), let state?): return try put(parsed, state)
    case (.put(let parsed), nil): return try create(name, parsed, base)
    case (.settings(let change), var state?):
      let settings = try change.settings(from: state.settings, reader, limits)
      let tools = tools(state, settings)
      return try configure(state: &state, settings, try state.candidate(settings, tools))
    case (.edit(let list), var state?):
      return try update(&state, try state.candidate(list, tools(state, state.settings)))
    case (.patch(let patch), var state?):
      return try update(&state, try state.candidate(patch, tools(state, state.settings)))
    case (.revert(let version), var state?):
      return try update(
        &state, try state.candidate(revertingTo: version, tools(state, state.settings)))
    case (.settings, nil), (.edit, nil), (.patch, nil), (.revert, nil): break
    }
    throw .collectionNotFound
  }

  /// A snapshot, perhaps with settings that it is read by; others than before are taken with it.
  private func put(
    _ parsed: ParsedSnapshot, _ before: CollectionState
  ) throws(ServiceError) -> PreparedWrite {
    var state = before
    let settings = parsed.settings
    let tools = tools(state, settings)
    var prepared: PreparedWrite
    if settings == state.settings {
      let candidate = try state.candidate(parsed, tools)
      prepared = try update(&state, candidate)
    } else {
      // Of what the settings make of the head only this matters: which contents are equal to it.
      let overrides = state.overrides(by: settings, tools)
      let candidate = try state.ids.candidate(
        parsed, settings, head: state.sections, overrides: overrides, tools)
      prepared = try configure(state: &state, settings, candidate)
    }
    prepared.unchangedItemCount = parsed.unchangedItemCount
    return prepared
  }

  /// Other settings, and what the collection is by them: a version when they change what is shown,
  /// else nothing that readers see.
  private func configure(
    state: inout CollectionState, _ settings: CollectionSettings, _ candidate: Candidate
  ) throws(ServiceError) -> PreparedWrite {
    var candidate = candidate
    candidate.settings = settings
    let prepared = try update(&state, candidate)
    guard prepared.isUnchanged, let receipt = prepared.receipt else { return prepared }
    // The contents stay too: of those that are equal, the ones that readers were told of.
    let nested = state.ids.nestedLists(
      of: state.sections, state.contents, settings.nested, beside: .empty,
      tools(state, settings))
    let outcome = PreparedSettings(
      settings: settings, overrides: candidate.overrides, nested: nested,
      nestedBytes: nested.byteCount, ids: state.ids)
    var result = PreparedWrite(
      state.name, .configure(outcome), StoreTransaction.Change(outcome, state), receipt)
    result.contentBytes = state.contents.contentByteCount
    return result
  }

  private func tools(_ state: CollectionState?, _ settings: CollectionSettings) -> EditTools {
    EditTools(
      reader: reader, limits: limits, seq: (state?.record.seq ?? 0) + 1,
      options: settings.itemOptions)
  }

  private func create(
    _ name: ResourceName, _ parsed: ParsedSnapshot, _ base: Base
  ) throws(ServiceError) -> PreparedWrite {
    guard base.room > 0 else {
      throw .tooManyCollections(limit: limits.collectionsPerClientMax)
    }
    let settings = parsed.settings
    let tools = tools(nil, settings)
    var ids = IDTable(seed: IDTable.processSeed)
    let candidate = try ids.candidate(
      parsed, settings, head: [], overrides: HashOverrides(), tools)
    let contentBytes = try candidate.contents.checkedByteCount(limits)
    let nested = ids.nestedLists(
      of: candidate.sections, candidate.contents, settings.nested, beside: .empty, tools)
    ids.noteAllInUse()
    let digest = ids.digest(
      of: candidate.sections, nested: nested, meta: parsed.meta, lineage: base.lineage)
    let data = CollectionSectionData<StructureSection>()
    let version = PreparedVersion(
      update: try data.update(to: candidate.sections, .checked),
      record: VersionRecord(seq: 1, digest: digest, meta: parsed.meta, date: date),
      contents: candidate.contents, ids: ids, nested: nested, nestedBytes: nested.byteCount,
      settings: settings)
    let token = VersionToken(lineage: base.lineage, seq: 1, digest: digest.text)
    let stored = StoredVersion(
      token: token, record: version.record, sections: candidate.sections, ids: ids,
      contents: candidate.contents, nested: nested, previous: nil,
      settings: settings == CollectionSettings() && version.overrides.isEmpty
        ? nil : StoredSettings(settings, version.overrides, ids))
    let receipt = WriteReceipt(
      version: token, previous: nil, isChanged: true, isCreated: true,
      counts: ChangeCounts(version.update.delta.changes), answer: nil)
    data.commit(version.update)
    let state = CollectionState(name: name, lineage: base.lineage, data: data, first: version)
    var prepared = PreparedWrite(name, .create(state, version), .put(stored), receipt)
    prepared.contentBytes = contentBytes
    prepared.addedBytes = version.byteCount + CollectionState.overhead
    return prepared
  }

  private func update(
    _ state: inout CollectionState, _ candidate: Candidate
  ) throws(ServiceError) -> PreparedWrite {
    let contentBytes = try candidate.contents.checkedByteCount(limits)
    let settings = candidate.settings ?? state.settings
    let tools = tools(state, settings)
    var base = state.nestedBase
    if settings.nested != state.settings.nested {
      base.lists = state.ids.nestedLists(
        of: base.sections, base.contents, settings.nested, beside: .empty, tools)
    }
    let nested = state.ids.nestedLists(
      of: candidate.sections, candidate.contents, settings.nested, beside: base, tools)
    let update = try state.data.update(to: candidate.sections, .promised)
    if update.delta.isEmpty, nested == base.lists, candidate.meta == state.record.meta {
      return PreparedWrite(state.name, .none, nil, WriteReceipt(unchanged: state.token))
    }
    let comparison = try update.delta.comparison(of: state.sections, candidate.sections)
    let nestedBack = NestedPatch(to: base.lists, from: nested)
    let digest = state.ids.digest(
      of: candidate.sections, nested: nested, meta: candidate.meta, lineage: state.lineage)
    var version = PreparedVersion(
      update: update,
      record: VersionRecord(
        seq: state.record.seq + 1, digest: digest, meta: candidate.meta, date: date),
      contents: candidate.contents, ids: state.ids, overrides: candidate.overrides, nested: nested,
      nestedBytes: nested.byteCount, settings: candidate.settings,
      back: (StructurePatch(to: state.sections, comparison), nestedBack))
    if state.settings.comparesAll, settings.comparesAll {
      version.replaced = .init(update.delta, of: state.sections, state.contents)
    }
    var counts = ChangeCounts(update.delta.changes)
    counts.nested =
      NestedStructure(sections: base.sections, lists: base.lists)
      .changedListCount(to: NestedStructure(sections: candidate.sections, lists: nested))
    let receipt = WriteReceipt(
      version: state.token(of: version.record), previous: state.token, isChanged: true,
      isCreated: false, counts: counts, answer: nil)
    var prepared = PreparedWrite(
      state.name, .update(version),
      .put(StoredVersion(version, after: state, comparison, nestedBack)), receipt)
    prepared.contentBytes = contentBytes
    prepared.addedBytes = version.byteCount - state.headBytes
    return prepared
  }
}

extension CollectionSectionData<StructureSection> {
  /// What would change if these were the sections.
  ///
  /// - Throws: `internalFault`: a snapshot without duplicates whose structure has some is a bug, and
  ///   no reason to stop serving.
  fileprivate func update(
    to sections: [StructureSection], _ uniqueness: Uniqueness
  ) throws(ServiceError) -> PreparedUpdate<StructureSection> {
    do {
      return try prepareUpdate(sections, uniqueness: uniqueness)
    } catch {
      throw .internalFault("the update was not computed: \(error)")
    }
  }
}

extension Delta {
  /// What the versions that it leads from and to have in common.
  ///
  /// - Throws: `internalFault` when it leads elsewhere.
  fileprivate func comparison(
    of source: [StructureSection], _ target: [StructureSection]
  ) throws(ServiceError) -> VersionComparison {
    do throws(DeltaMismatch) {
      return try VersionComparison(self, from: source, to: target)
    } catch {
      throw .internalFault("the delta does not lead to the new version: \(error.reason)")
    }
  }
}

extension StoredVersion {
  /// What the store gets of a version that follows another.
  fileprivate init(
    _ version: PreparedVersion, after state: CollectionState, _ comparison: VersionComparison,
    _ nestedBack: NestedPatch
  ) {
    let settings = version.settings ?? state.settings
    self.init(
      token: state.token(of: version.record), record: version.record,
      sections: version.sections, ids: version.ids, contents: version.contents,
      nested: version.nested,
      previous: state.forgetsOlder(by: settings)
        ? nil
        : Previous(
          sections: state.sections, contents: state.contents, comparison: comparison,
          nested: nestedBack),
      settings: version.settings != nil || version.overrides != state.overrides
        ? StoredSettings(settings, version.overrides, version.ids) : nil)
  }
}

extension StoreTransaction.Change {
  /// What the store gets of other settings: all of the collection when it forgets its older
  /// versions by them.
  fileprivate init(_ prepared: PreparedSettings, _ state: CollectionState) {
    let stored = StoredSettings(prepared.settings, prepared.overrides, prepared.ids)
    guard state.forgetsOlder(by: prepared.settings) else {
      self = .configure(stored)
      return
    }
    self = .put(
      StoredVersion(
        token: state.token, record: state.record, sections: state.sections, ids: prepared.ids,
        contents: state.contents, nested: prepared.nested, previous: nil, settings: stored,
        isReread: true))
  }
}

extension WriteReceipt {
  /// The receipt of a write that left a collection as it was.
  init(unchanged version: VersionToken) {
    self.init(
      version: version, previous: version, isChanged: false, isCreated: false,
      counts: ChangeCounts(), answer: nil)
  }
}
