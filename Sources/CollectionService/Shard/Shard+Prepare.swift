import DeltaEngine
import LiveCollections
import SnapshotJSON

/// What will become of a collection by a write, once the store has agreed.
enum WriteOutcome {
  case create(HostedCollection, StoredVersion, WriteReceipt)
  case update(HostedCollection, PreparedVersion, StoredVersion, WriteReceipt)
  case delete(ResourceName, WriteReceipt)
  case configure(HostedCollection, SettingsOutcome, WriteReceipt)
  case unchanged(WriteReceipt)
  case failure(ServiceFailure)

  var isFailure: Bool {
    if case .failure = self { true } else { false }
  }

  /// What is left of it when another write of an atomic batch failed.
  func notApplied() -> WriteOutcome {
    switch self {
    case .failure: self
    case .create: .failure(ServiceFailure(.notApplied, current: nil))
    case .update(_, _, _, let receipt), .delete(_, let receipt),
      .configure(_, _, let receipt), .unchanged(let receipt):
      .failure(ServiceFailure(.notApplied, current: receipt.previous))
    }
  }

  /// The bytes of the contents that it is about.
  var contentByteCount: Int {
    switch self {
    case .create(let collection, _, _): collection.contents.contentByteCount
    case .update(_, let version, _, _): version.contents.contentByteCount
    case .configure(let collection, _, _): collection.contents.contentByteCount
    case .delete, .unchanged, .failure: 0
    }
  }

  var result: Result<WriteReceipt, ServiceFailure> {
    switch self {
    case .create(_, _, let receipt), .update(_, _, _, let receipt), .delete(_, let receipt),
      .configure(_, _, let receipt), .unchanged(let receipt):
      .success(receipt)
    case .failure(let failure): .failure(failure)
    }
  }

  /// What those are told who follow all changes; nil when nothing changed.
  var change: (name: ResourceName, version: VersionToken, isDeleted: Bool)? {
    switch self {
    case .create(let collection, _, let receipt), .update(let collection, _, _, let receipt):
      (collection.name, receipt.version, false)
    case .delete(let name, let receipt): (name, receipt.version, true)
    case .configure, .unchanged, .failure: nil
    }
  }

  /// The store's part; nil when there is nothing to store.
  var entry: StoreTransaction.Entry? {
    switch self {
    case .create(let collection, let version, _):
      StoreTransaction.Entry(name: collection.name, expected: nil, change: .put(version))
    case .update(let collection, _, let version, _):
      StoreTransaction.Entry(
        name: collection.name, expected: collection.token, change: .put(version))
    case .delete(let name, let receipt):
      StoreTransaction.Entry(name: name, expected: receipt.version, change: .delete)
    case .configure(let collection, let outcome, _):
      StoreTransaction.Entry(
        name: collection.name, expected: collection.token, change: outcome.stored(collection))
    case .unchanged, .failure: nil
    }
  }
}

/// Other settings that change nothing that is shown, and how what is shown is compared by them.
struct SettingsOutcome {
  var settings: CollectionSettings
  var forced: ForcedContents
  var nested: NestedLists
}

extension Shard {
  /// Decides what a write comes to; nothing that a reader sees has changed afterwards.
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - client: Whose collection it is.
  ///   - room: How many more collections the client may have.
  /// - Returns: What will become of the collection.
  func prepare(_ write: WriteJob.Write, _ client: ClientState, room: Int) -> WriteOutcome {
    let collection = client.collections[write.name]
    // What a write that came to nothing had learnt goes first.
    collection?.ids.forgetUnsettled()
    let head = client.head(write.name)
    // RFC 9110 §13.2.1: a request that would fail anyway fails for that reason.
    let change = write.change(of: collection, reader, context.limits)
    if let error = change.error {
      return .failure(ServiceFailure(error, current: head))
    }
    if context.limits.requiresPrecondition, write.needsPrecondition {
      return .failure(ServiceFailure(.preconditionRequired, current: head))
    }
    if let error = write.precondition.failure(head: head) {
      return .failure(ServiceFailure(error, current: head))
    }
    switch (change, collection) {
    case (.delete, _):
      guard let head else { break }
      var receipt = WriteReceipt(unchanged: head)
      receipt.isDeleted = true
      return .delete(write.name, receipt)
    case (.put(.success(let snapshot)), let collection?):
      return put(snapshot, collection)
    case (.put(.success(let snapshot)), nil):
      return create(write.name, snapshot, room: room)
    case (.settings(.success(let change)), let collection?):
      return configure(collection, change)
    case (.edit(.success(let list)), let collection?):
      return update(collection) { tools throws(ServiceError) in
        try collection.proposal(list, tools)
      }
    case (.patch(.success(let patch)), let collection?):
      return update(collection) { tools throws(ServiceError) in
        try collection.proposal(patch, tools)
      }
    default: break
    }
    return .failure(ServiceFailure(.collectionNotFound, current: nil))
  }

  private func update(
    _ collection: HostedCollection, _ propose: (EditTools) throws(ServiceError) -> Proposal
  ) -> WriteOutcome {
    do throws(ServiceError) {
      return update(collection, try propose(tools(collection, collection.settings)))
    } catch {
      return .failure(ServiceFailure(error, current: collection.token))
    }
  }

  /// A snapshot, perhaps with settings that it is read by; others than before are taken with it.
  private func put(_ snapshot: ParsedSnapshot, _ collection: HostedCollection) -> WriteOutcome {
    let settings = snapshot.settings
    context.counters.knownItems.add(snapshot.known?.itemCount ?? 0)
    guard settings != collection.settings else {
      return update(collection) { tools throws(ServiceError) in
        try collection.proposal(snapshot, tools)
      }
    }
    return configure(collection, settings) { tools throws(ServiceError) in
      // Of what the settings make of the head only this matters: which contents are equal to it.
      let forced = collection.forced(by: settings, tools)
      return try collection.ids.proposal(
        snapshot, settings, head: collection.data.sections, forced: forced, tools)
    }
  }

  /// Other settings: a version when they change what is shown, else nothing that readers see.
  private func configure(
    _ collection: HostedCollection, _ change: SettingsChange
  ) -> WriteOutcome {
    do throws(ServiceError) {
      let settings = try change.settings(from: collection.settings, reader, context.limits)
      return configure(collection, settings) { tools throws(ServiceError) in
        try collection.proposal(settings, tools)
      }
    } catch {
      return .failure(ServiceFailure(error, current: collection.token))
    }
  }

  /// What other settings come to; `propose` makes what the collection is by them.
  private func configure(
    _ collection: HostedCollection, _ settings: CollectionSettings,
    _ propose: (EditTools) throws(ServiceError) -> Proposal
  ) -> WriteOutcome {
    do throws(ServiceError) {
      let tools = tools(collection, settings)
      var proposal = try propose(tools)
      proposal.settings = settings
      let outcome = update(collection, proposal)
      guard case .unchanged(let receipt) = outcome else { return outcome }
      // The contents stay too: of those that are equal, the ones that readers were told of.
      let nested = collection.ids.nestedLists(
        of: collection.data.sections, collection.contents, settings.nested, beside: .empty, tools)
      return .configure(
        collection,
        SettingsOutcome(settings: settings, forced: proposal.forced, nested: nested), receipt)
    } catch {
      return .failure(ServiceFailure(error, current: collection.token))
    }
  }

  private func tools(
    _ collection: HostedCollection?, _ settings: CollectionSettings
  ) -> EditTools {
    EditTools(
      reader: reader, limits: context.limits, seq: (collection?.history.head.seq ?? 0) + 1,
      options: settings.itemOptions)
  }

  private func create(
    _ name: ResourceName, _ parsed: ParsedSnapshot, room: Int
  ) -> WriteOutcome {
    guard room > 0 else {
      let limit = context.limits.collectionsPerClientMax
      return .failure(ServiceFailure(.tooManyCollections(limit: limit), current: nil))
    }
    let lineage = Lineage.random(using: &generator)
    let data = CollectionSectionData<StructureSection>()
    var ids = IDTable(seed: SnapshotOptions.processSeed)
    let proposal: Proposal
    do throws(ServiceError) {
      proposal = try ids.proposal(
        parsed, parsed.settings, head: [], forced: ForcedContents(), tools(nil, parsed.settings))
      try proposal.contents.checkSize(context.limits)
    } catch {
      return .failure(ServiceFailure(error, current: nil))
    }
    let nested = ids.nestedLists(
      of: proposal.sections, proposal.contents, parsed.settings.nested, beside: .empty,
      tools(nil, parsed.settings))
    let digest = ids.digest(
      of: proposal.sections, nested: nested, meta: parsed.meta, lineage: lineage)
    let record = VersionRecord(
      seq: 1, digest: digest, meta: parsed.meta, date: context.time.date())
    let update: PreparedUpdate<StructureSection>
    do {
      update = try data.prepareUpdate(proposal.sections)
    } catch {
      return .failure(.impossible(error))
    }
    let first = PreparedVersion(
      update: update, record: record, contents: proposal.contents, nested: nested,
      settings: parsed.settings)
    let collection = HostedCollection(
      name: name, lineage: lineage, ids: ids, data: data, first: first)
    let receipt = WriteReceipt(
      version: collection.token, previous: nil, isChanged: true, isCreated: true,
      counts: ChangeCounts(update.delta.changes), answer: nil)
    return .create(
      collection,
      stored(
        first, proposal.sections, collection, token: collection.token, isFirst: true), receipt)
  }

  private func update(_ collection: HostedCollection, _ proposal: Proposal) -> WriteOutcome {
    let head = collection.history.head
    do throws(ServiceError) {
      try proposal.contents.checkSize(context.limits)
    } catch {
      return .failure(ServiceFailure(error, current: collection.token))
    }
    let settings = proposal.settings ?? collection.settings
    let tools = tools(collection, settings)
    var base = collection.nestedBase
    if settings.nested != collection.settings.nested {
      base.lists = collection.ids.nestedLists(
        of: base.sections, base.contents, settings.nested, beside: .empty, tools)
    }
    let nested = collection.ids.nestedLists(
      of: proposal.sections, proposal.contents, settings.nested, beside: base, tools)
    let update: PreparedUpdate<StructureSection>
    do {
      update = try collection.data.prepareUpdate(proposal.sections, uniqueness: .promised)
    } catch {
      return .failure(.impossible(error))
    }
    if update.delta.isEmpty, nested == base.lists, proposal.meta == head.meta {
      context.counters.unchangedWrites.add(1)
      return .unchanged(WriteReceipt(unchanged: collection.token))
    }
    let record = VersionRecord(
      seq: head.seq + 1,
      digest: collection.ids.digest(
        of: proposal.sections, nested: nested, meta: proposal.meta, lineage: collection.lineage),
      meta: proposal.meta, date: context.time.date())
    let next = PreparedVersion(
      update: update, record: record, contents: proposal.contents, forced: proposal.forced,
      nested: nested, nestedBefore: base.lists, settings: proposal.settings)
    let token = collection.token(of: record)
    var counts = ChangeCounts(update.delta.changes)
    counts.nested =
      NestedStructure(sections: base.sections, lists: base.lists)
      .changedListCount(to: NestedStructure(sections: proposal.sections, lists: nested))
    let receipt = WriteReceipt(
      version: token, previous: collection.token, isChanged: true, isCreated: false,
      counts: counts, answer: nil)
    return .update(
      collection, next,
      stored(next, proposal.sections, collection, token: token, isFirst: false), receipt)
  }

  /// What the store gets of a version.
  private func stored(
    _ version: PreparedVersion, _ sections: [StructureSection], _ collection: HostedCollection,
    token: VersionToken, isFirst: Bool
  ) -> StoredVersion {
    let settings = version.settings ?? collection.settings
    let hasOther =
      isFirst ? settings != CollectionSettings() : version.settings != nil
    let isAlone = isFirst || collection.forgetsOlder(by: settings)
    return StoredVersion(
      token: token, record: version.record, sections: sections, ids: collection.ids,
      contents: version.contents, nested: version.nested,
      previous: isAlone
        ? nil
        : StoredVersion.Previous(
          sections: collection.data.sections, contents: collection.contents,
          nested: version.nestedBefore),
      settings: hasOther || version.forced != collection.forced
        ? StoredSettings(settings, version.forced, collection.ids) : nil)
  }
}

extension SettingsOutcome {
  /// What the store gets: all of the collection when it forgets its older versions by it.
  fileprivate func stored(_ collection: HostedCollection) -> StoreTransaction.Change {
    let stored = StoredSettings(settings, forced, collection.ids)
    guard collection.forgetsOlder(by: settings) else { return .configure(stored) }
    return .put(
      StoredVersion(
        token: collection.token, record: collection.history.head,
        sections: collection.data.sections, ids: collection.ids, contents: collection.contents,
        nested: nested, previous: nil, settings: stored, isReread: true))
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

extension ServiceFailure {
  /// A snapshot without duplicates whose structure has some: a bug, and no reason to stop serving.
  fileprivate static func impossible(_ error: any Error) -> ServiceFailure {
    ServiceFailure(.internalFault("the update was not computed: \(error)"), current: nil)
  }
}
