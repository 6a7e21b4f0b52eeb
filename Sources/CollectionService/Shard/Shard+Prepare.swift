import DeltaEngine
import LiveCollections
import SnapshotJSON

/// What will become of a collection by a write, once the store has agreed.
enum WriteOutcome {
  case create(HostedCollection, StoredVersion, WriteReceipt)
  case update(HostedCollection, PreparedVersion, StoredVersion, WriteReceipt)
  case delete(HostedCollection, WriteReceipt)
  case configure(HostedCollection, CollectionSettings, ForcedContents, WriteReceipt)
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
      .configure(_, _, _, let receipt), .unchanged(let receipt):
      .failure(ServiceFailure(.notApplied, current: receipt.previous))
    }
  }

  var result: Result<WriteReceipt, ServiceFailure> {
    switch self {
    case .create(_, _, let receipt), .update(_, _, _, let receipt), .delete(_, let receipt),
      .configure(_, _, _, let receipt), .unchanged(let receipt):
      .success(receipt)
    case .failure(let failure): .failure(failure)
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
    case .delete(let collection, _):
      StoreTransaction.Entry(name: collection.name, expected: collection.token, change: .delete)
    case .configure(let collection, let settings, _, _):
      StoreTransaction.Entry(
        name: collection.name, expected: collection.token, change: .configure(settings))
    case .unchanged, .failure: nil
    }
  }
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
    let head = collection?.token
    // RFC 9110 §13.2.1: a request that would fail anyway fails for that reason.
    if let error = write.change.error {
      return .failure(ServiceFailure(error, current: head))
    }
    if let error = write.precondition.failure(head: head) {
      return .failure(ServiceFailure(error, current: head))
    }
    switch (write.change, collection) {
    case (.put(.success(let snapshot)), let collection?):
      return update(collection) { tools throws(ServiceError) in
        try collection.proposal(snapshot, tools)
      }
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
    case (.delete, let collection?):
      var receipt = receipt(of: collection)
      receipt.isDeleted = true
      return .delete(collection, receipt)
    default:
      return .failure(ServiceFailure(.collectionNotFound, current: nil))
    }
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

  /// Other settings: a version when they change what is shown, else nothing that readers see.
  private func configure(
    _ collection: HostedCollection, _ change: SettingsChange
  ) -> WriteOutcome {
    do throws(ServiceError) {
      let settings = try change.settings(from: collection.settings, reader, context.limits)
      let proposal = try collection.proposal(settings, tools(collection, settings))
      let outcome = update(collection, proposal, settings)
      guard case .unchanged(let receipt) = outcome else { return outcome }
      return .configure(collection, settings, proposal.forced, receipt)
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
    } catch {
      return .failure(ServiceFailure(error, current: nil))
    }
    let record = VersionRecord(
      seq: 1, digest: ids.digest(of: proposal.sections, meta: parsed.meta, lineage: lineage),
      meta: parsed.meta, date: context.time.date())
    guard let update = try? data.prepareUpdate(proposal.sections) else {
      return .failure(.impossible)
    }
    let first = PreparedVersion(
      update: update, record: record, contents: proposal.contents, settings: parsed.settings)
    let collection = HostedCollection(
      name: name, lineage: lineage, ids: ids, data: data, first: first)
    let receipt = WriteReceipt(
      version: collection.token, previous: nil, isChanged: true, isCreated: true,
      counts: ChangeCounts(update.delta.changes), answer: nil)
    return .create(
      collection, stored(first, proposal.sections, ids, token: collection.token), receipt)
  }

  private func update(
    _ collection: HostedCollection, _ proposal: Proposal, _ settings: CollectionSettings? = nil
  ) -> WriteOutcome {
    let head = collection.history.head
    guard
      let update = try? collection.data.prepareUpdate(
        proposal.sections, uniqueness: .promised)
    else {
      return .failure(.impossible)
    }
    if update.delta.isEmpty, proposal.meta == head.meta {
      context.counters.unchangedWrites.add(1)
      return .unchanged(receipt(of: collection))
    }
    let record = VersionRecord(
      seq: head.seq + 1,
      digest: collection.ids.digest(
        of: proposal.sections, meta: proposal.meta, lineage: collection.lineage),
      meta: proposal.meta, date: context.time.date())
    let next = PreparedVersion(
      update: update, record: record, contents: proposal.contents, forced: proposal.forced,
      settings: settings)
    let token = collection.token(of: record)
    let receipt = WriteReceipt(
      version: token, previous: collection.token, isChanged: true, isCreated: false,
      counts: ChangeCounts(update.delta.changes), answer: nil)
    return .update(
      collection, next, stored(next, proposal.sections, collection.ids, token: token), receipt)
  }

  private func receipt(of collection: HostedCollection) -> WriteReceipt {
    WriteReceipt(
      version: collection.token, previous: collection.token, isChanged: false, isCreated: false,
      counts: ChangeCounts(), answer: nil)
  }

  private func stored(
    _ version: PreparedVersion, _ sections: [StructureSection], _ ids: IDTable,
    token: VersionToken
  ) -> StoredVersion {
    StoredVersion(
      token: token, date: version.record.date, sections: sections, ids: ids,
      contents: version.contents, delta: version.update.delta, settings: version.settings)
  }
}

extension ServiceFailure {
  /// A snapshot without duplicates whose structure has some: a bug, and no reason to stop serving.
  fileprivate static let impossible = ServiceFailure(.internalFault, current: nil)
}
