import DeltaEngine
import LiveCollections
package import SnapshotJSON

/// Prepares a write: a pure function from the collection's state and the request to the outcome.
///
/// It needs no shard, no store and no clock, and can run on any queue.
package struct WritePreparation {
  /// The state of a collection when its write starts.
  package struct Base: Sendable {
    /// The collection's version, even if it is only in the store; nil if it does not exist.
    package var head: VersionToken?
    /// The collection; nil if it does not exist or the write only needs its version.
    package var state: CollectionState?
    /// The lineage of the collection if this write creates it.
    package var lineage: Lineage?
    /// How many more collections the client may create.
    package var room: Int

    package init(
      head: VersionToken? = nil, state: CollectionState? = nil, lineage: Lineage?, room: Int
    ) {
      self.head = head
      self.state = state
      self.lineage = lineage
      self.room = room
    }
  }

  package let reader: JSONReader
  package let limits: ServiceLimits
  /// Seconds since 1970.
  package let date: Int64

  package init(reader: JSONReader, limits: ServiceLimits, date: Int64) {
    self.reader = reader
    self.limits = limits
    self.date = date
  }

  package func prepare(_ write: Write, _ base: Base) -> PreparedWrite {
    var base = base
    base.state?.reclaimIDs()
    do throws(ServiceError) {
      return try prepared(write, base)
    } catch {
      return PreparedWrite(write.name, ServiceFailure(error, current: base.head))
    }
  }

  /// Parses a change, by the settings of the collection it changes if there is one, and prepares it.
  ///
  /// RFC 9110 §13.2.1: other errors of the request take precedence over a failed precondition.
  private func prepared(_ write: Write, _ base: Base) throws(ServiceError) -> PreparedWrite {
    switch write.change {
    case .put(let body):
      let parsed = try snapshot(body, of: write, base.state)
      try check(write, base, sent: parsed)
      if let state = base.state { return try put(parsed, state) }
      return try create(write.name, parsed, base)
    case .edit(let body):
      let list = try edits(body, of: write, base.state)
      var state = try checkedState(write, base)
      return try update(&state, try state.candidate(list, tools(state, state.settings)))
    case .settings(let body, let isPatch):
      let root = try reader.document(body)
      var settings =
        isPatch
        ? CollectionSettings() : try .read(root, pointer: "", limits: limits.settingsLimits)
      var state = try checkedState(write, base)
      if isPatch { settings = try merged(root, into: state.settings) }
      settings = settings.following(state.settings)
      let tools = tools(state, settings)
      return try configure(state: &state, settings, try state.candidate(settings, tools))
    case .revert:
      guard let version = try write.target?.get() else {
        throw .internalFault("a revert whose version nobody looked for")
      }
      var state = try checkedState(write, base)
      return try update(
        &state, try state.candidate(revertingTo: version, tools(state, state.settings)))
    case .delete:
      try check(write, base)
      guard let head = base.head else { throw .collectionNotFound }
      var receipt = WriteReceipt(unchanged: head)
      receipt.isDeleted = true
      return PreparedWrite(write.name, .delete, .delete, receipt)
    }
  }

  /// Throws if a write lacks a precondition, or if its precondition fails; the version in a body that was sent
  /// completes it.
  private func check(
    _ write: Write, _ base: Base, sent: ParsedSnapshot? = nil
  ) throws(ServiceError) {
    if limits.requiresPrecondition, write.lacksPrecondition { throw .preconditionRequired }
    var precondition = try write.precondition.completed(by: sent)
    if let state = base.state { precondition = precondition.plain(state) }
    if let error = precondition.failure(head: base.head, settings: base.state?.settings) {
      throw error
    }
  }

  /// Returns the collection that a write changes, after `check`.
  private func checkedState(_ write: Write, _ base: Base) throws(ServiceError) -> CollectionState {
    try check(write, base)
    guard let state = base.state else { throw .collectionNotFound }
    return state
  }

  private func snapshot(
    _ body: [UInt8], of write: Write, _ state: CollectionState?
  ) throws(ServiceError) -> ParsedSnapshot {
    if let state, let known = ParsedSnapshot.read(body, reader, limits, beside: state) {
      return known
    }
    return try .read(
      body, reader, limits, settings: state?.settings, pointer: write.pointer ?? "")
  }

  private func edits(
    _ body: [UInt8], of write: Write, _ state: CollectionState?
  ) throws(ServiceError) -> EditList {
    let root = try reader.document(body)
    let options = (state?.settings ?? CollectionSettings()).itemOptions
    return try ServiceError.checking { () throws(SnapshotError) in
      guard let pointer = write.pointer else {
        return try EditList.read(root, reader: reader, limits: limits, options: options)
      }
      return try EditList.read(
        Array(root.elements), pointer: pointer, reader: reader, limits: limits, options: options)
    }
  }

  /// Returns settings after a merge patch (RFC 7396); throws `badSettings` if they are invalid.
  private func merged(
    _ patch: StrictJSON, into current: CollectionSettings
  ) throws(ServiceError) -> CollectionSettings {
    var before = JSONWriter()
    before.write(current, limits: limits)
    let old = try reader.document(before.bytes).content
    let after = try reader.document(JSONMergePatch.apply(patch.content, to: old))
    return try ServiceError.checking(settingsAt: "") { () throws(SettingsError) in
      try patch.refuseRepeatedMembers()
      return try CollectionSettings(after, limits: limits.settingsLimits)
    }
  }

  /// Prepares a snapshot and any new settings it was read with.
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
      // Only the equality of contents matters here; the snapshot replaces the head's arrangement.
      let overrides = state.overrides(by: settings, tools)
      let candidate = try state.ids.candidate(
        parsed, settings, head: state.sections, overrides: overrides, tools)
      prepared = try configure(state: &state, settings, candidate)
    }
    prepared.unchangedItemCount = parsed.unchangedItemCount
    return prepared
  }

  /// Prepares new settings: a new version if they change what readers see, otherwise only settings.
  private func configure(
    state: inout CollectionState, _ settings: CollectionSettings, _ candidate: Candidate
  ) throws(ServiceError) -> PreparedWrite {
    var candidate = candidate
    candidate.settings = settings
    let prepared = try update(&state, candidate)
    guard prepared.isUnchanged, let receipt = prepared.receipt else { return prepared }
    // The head's contents are kept, even if the candidate's are different but equal by the new
    // settings.
    let outcome = PreparedSettings(
      settings: settings.taking(effectAt: state.record.seq, after: state.settings),
      overrides: candidate.overrides, ids: state.ids)
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

  /// Prepares the first version of a collection.
  package func create(
    _ name: ResourceName, _ parsed: ParsedSnapshot, _ base: Base
  ) throws(ServiceError) -> PreparedWrite {
    guard base.room > 0 else {
      throw .tooManyCollections(limit: limits.collectionsPerClientMax)
    }
    guard let lineage = base.lineage else {
      throw .internalFault("a new collection has no lineage")
    }
    let settings = parsed.settings
    let tools = tools(nil, settings)
    var ids = IDTable(seed: IDTable.processSeed)
    let candidate = try ids.candidate(
      parsed, settings, head: [], overrides: HashOverrides(), tools)
    let contentBytes = try candidate.contents.checkedByteCount(limits)
    ids.noteAllInUse()
    let digest = ids.digest(of: candidate.sections, meta: parsed.meta, lineage: lineage.name)
    let data = CollectionSectionData<StructureSection>()
    let version = PreparedVersion(
      update: try data.update(to: candidate.sections, .checked),
      record: VersionRecord(seq: 1, digest: digest, meta: parsed.meta, date: date),
      contents: candidate.contents, ids: ids, overrides: candidate.overrides, settings: settings)
    let token = VersionToken(lineage: lineage.name, seq: 1, digest: digest.text)
    let stored = StoredVersion(
      token: token, lineage: lineage, record: version.record, sections: candidate.sections,
      ids: ids, contents: candidate.contents, previous: nil,
      settings: settings == CollectionSettings() && version.overrides.isEmpty
        ? nil : StoredSettings(settings, version.overrides, ids))
    let receipt = WriteReceipt(
      version: token, previous: nil, isChanged: true, isCreated: true,
      counts: ChangeCounts(version.update.delta.changes), answer: nil)
    data.commit(version.update)
    let state = CollectionState(name: name, lineage: lineage, data: data, first: version)
    var prepared = PreparedWrite(name, .create(state, version), .put(stored), receipt)
    prepared.contentBytes = contentBytes
    prepared.addedBytes = version.byteCount + HeapCost.newCollection + HeapCost.name(name)
    return prepared
  }

  private func update(
    _ state: inout CollectionState, _ candidate: Candidate
  ) throws(ServiceError) -> PreparedWrite {
    let contentBytes = try candidate.contents.checkedByteCount(limits)
    let settings = candidate.settings ?? state.settings
    let update = try state.data.update(to: candidate.sections, .promised)
    if update.delta.isEmpty, candidate.meta == state.record.meta {
      return PreparedWrite(state.name, .none, nil, WriteReceipt(unchanged: state.token))
    }
    let comparison = try update.delta.comparison(of: state.sections, candidate.sections)
    let digest = state.ids.digest(
      of: candidate.sections, meta: candidate.meta, lineage: state.lineage.name)
    let record = VersionRecord(
      seq: state.record.seq + 1, digest: digest, meta: candidate.meta, date: date)
    guard state.token(of: record).isValid else { throw .versionsExhausted(state.token) }
    var version = PreparedVersion(
      update: update, record: record,
      contents: candidate.contents, ids: state.ids, overrides: candidate.overrides,
      settings: candidate.settings?.taking(effectAt: record.seq, after: state.settings),
      back: StructurePatch(to: state.sections, comparison))
    if state.settings.comparesAll, settings.comparesAll {
      version.replaced = .init(update.delta, of: state.sections, state.contents)
      // An item that keeps a hash may have other contents than before.
      if candidate.settings == nil, candidate.meta == state.record.meta,
        state.overrides.isEmpty, candidate.overrides.isEmpty
      {
        version.touched = TouchedItems(
          update.delta, comparison, from: (state.sections, state.contents),
          to: (candidate.sections, candidate.contents))
      }
    }
    let receipt = WriteReceipt(
      version: state.token(of: version.record), previous: state.token, isChanged: true,
      isCreated: false, counts: ChangeCounts(update.delta.changes), answer: nil)
    var prepared = PreparedWrite(
      state.name, .update(version), .put(StoredVersion(version, after: state, comparison)), receipt)
    prepared.contentBytes = contentBytes
    prepared.addedBytes = version.byteCount - state.headBytes
    return prepared
  }
}

extension CollectionSectionData<StructureSection> {
  /// Computes the update to new sections.
  ///
  /// - Throws: `internalFault` if a structure has duplicates, which is a bug, because snapshots are
  ///   checked.
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
  /// Compares the versions that the delta leads from and to.
  ///
  /// - Throws: `internalFault` if it does not lead to `target`.
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
  /// Creates the stored form of a version that follows another.
  fileprivate init(
    _ version: PreparedVersion, after state: CollectionState, _ comparison: VersionComparison
  ) {
    let settings = version.settings ?? state.settings
    self.init(
      token: state.token(of: version.record), lineage: state.lineage, record: version.record,
      sections: version.sections, ids: version.ids, contents: version.contents,
      previous: state.forgetsOlder(by: settings)
        ? nil
        : Previous(
          sections: state.sections, contents: state.contents, comparison: comparison),
      settings: version.settings != nil || version.overrides != state.overrides
        ? StoredSettings(settings, version.overrides, version.ids) : nil)
  }
}

extension StoreTransaction.Change {
  /// Creates the stored form of new settings; the whole collection if its older versions are
  /// dropped.
  fileprivate init(_ prepared: PreparedSettings, _ state: CollectionState) {
    let stored = StoredSettings(prepared.settings, prepared.overrides, prepared.ids)
    guard state.forgetsOlder(by: prepared.settings) else {
      self = .configure(stored)
      return
    }
    self = .put(
      StoredVersion(
        token: state.token, lineage: state.lineage, record: state.record,
        sections: state.sections, ids: prepared.ids, contents: state.contents, previous: nil,
        settings: stored))
  }
}

extension Precondition {
  /// Adds the version in a body to a precondition that requires it.
  ///
  /// - Throws: `preconditionRequired` if the body has no version, `badToken` if it is not a token,
  ///   `versionConflict` if it contradicts the precondition.
  fileprivate func completed(by sent: ParsedSnapshot?) throws(ServiceError) -> Precondition {
    guard isInBody else { return self }
    guard let sent, let version = sent.snapshot.version else { throw .preconditionRequired }
    let text = sent.snapshot.bytes(version)
    guard text.count > 2,
      let token = VersionToken(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
    else { throw .badToken(pointer: "/version") }
    var precondition = self
    let named = token.unrenewed
    if let other = precondition.version, other != named { throw .versionConflict }
    precondition.version = named
    return precondition
  }
}

extension PreparedWrite.Base {
  /// The state that a write started from.
  package init(_ base: WritePreparation.Base) {
    head = base.head
    guard let state = base.state else { return }
    (revision, itemCount, data) = (state.revision, state.contents.itemCount, state.data)
  }
}

extension Precondition {
  /// The precondition with plain tokens.
  fileprivate func plain(_ collection: CollectionState) -> Precondition {
    guard hasRestrictedToken else { return self }
    func plain(_ versions: Versions?) -> Versions? {
      guard case .oneOf(let tags)? = versions else { return versions }
      return .oneOf(tags.map { VersionToken($0).map { collection.plain($0).description } ?? $0 })
    }
    var precondition = self
    (precondition.match, precondition.noneMatch) = (plain(match), plain(noneMatch))
    precondition.version = version.map(collection.plain)
    return precondition
  }
}
