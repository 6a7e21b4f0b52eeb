import DeltaEngine
import Foundation
import SnapshotJSON

/// The edits of this device: they show at once, and are on their way to the service.
///
/// They are kept in a file, and sent in order, one call of `edit` after the other, each with an idempotency
/// key and the version that it rests on: whatever is cut or killed meanwhile, each is made once. What changes
/// at the service meanwhile is shown with the edits made on it.
struct Outbox {
  /// In the order in which they were made; those that were taken, until the replica has them.
  private(set) var entries: [OutboxEntry]
  private let file: OutboxFile?
  private let idPath: String
  /// The lines of the file that could not be read.
  private var damage: [String]

  /// Opens an outbox; without a file, edits are kept in memory.
  init(_ collection: CollectionAddress, of address: ServerAddress, at url: URL?) throws {
    idPath = collection.idPath
    file = try url.map { try OutboxFile(at: $0, owner: "\(address) \(collection)") }
    (entries, damage) = try file?.load() ?? ([], [])
  }

  /// Returns once what could not be read in the file; `nil` if there is nothing.
  mutating func takeDamage() -> String? {
    defer { damage = [] }
    guard !damage.isEmpty else { return nil }
    return "\(damage.count) damaged in the file of edits: \(damage.joined(separator: "; "))"
  }

  /// What the service has not taken yet.
  var pending: [OutboxEntry] { entries.filter { $0.taken == nil } }

  /// Returns what a replica has with the edits made on it.
  func shown(on sections: [ReplicaSection]) -> [ReplicaSection] {
    if entries.isEmpty { return sections }
    do {
      var edited = try EditedSections(sections, idPath: idPath)
      for entry in entries {
        // An error means that it does not fit any more: the service refuses it, or made it before others.
        try? edited.make(entry.edits)
      }
      return edited.sections
    } catch {
      return sections  // An id occurs twice; the service decides.
    }
  }

  /// Adds edits, which are on the disk afterwards.
  ///
  /// - Parameters:
  ///   - edits: A JSON array.
  ///   - sections: What is shown; `nil` if nothing is yet.
  /// - Throws: A problem with the code `edit-conflict` if they refer to what is not there; an error of the file
  ///   system if they cannot be kept. Then they are not made.
  mutating func add(_ edits: [UInt8], to sections: [ReplicaSection]?) throws {
    if let sections {
      do {
        var edited = try EditedSections(sections, idPath: idPath)
        try edited.make(edits)
      } catch {
        throw ClientError.problem(
          ProblemDetails(status: 409, code: "edit-conflict", detail: "\(error)"))
      }
    }
    let entry = OutboxEntry(key: DeltaClient.randomKey(), edits: edits)
    try file?.write(entry.made)
    entries.append(entry)
  }

  /// Forgets entries that were taken, where a replica has them, or has another history.
  mutating func settle(on replica: CollectionReplica, isOther: Bool) {
    entries.removeAll { entry in entry.taken.map { isOther || $0.seq <= replica.seq } ?? false }
  }

  /// Whether the newest version must be asked for, to tell when the key of the next entry is forgotten: it rests on
  /// none, and what is held has none either.
  func needsVersion(_ replica: CollectionReplica) -> Bool {
    guard let next = pending.first else { return false }
    guard let sending = next.sending else {
      return replica.version == nil && pending.count == entries.count
    }
    return sending.rests == nil
  }

  /// Notes that the first entry is sent.
  ///
  /// - Parameters:
  ///   - replica: What is held.
  ///   - newest: The newest version, if it was asked for.
  ///   - now: The time, in seconds since 1970.
  /// - Returns: The entry; `nil` if it must not be sent any more.
  /// - Throws: An error of the file system.
  mutating func begin(
    on replica: CollectionReplica, newest: WireSnapshot? = nil, now: Int
  ) throws -> OutboxEntry? {
    guard let index = entries.firstIndex(where: { $0.taken == nil }) else { return nil }
    if entries[index].sending == nil {
      let rests = entries.last { $0.taken != nil }?.taken?.version ?? replica.version
      try note(
        .init(
          rests: rests ?? newest?.version, time: now, seq: max(replica.seq, newest?.seq ?? 0)),
        at: index)
    }
    let entry = entries[index]
    // Without a version, only the key tells whether it was made.
    let seq = max(replica.seq, newest?.seq ?? 0)
    let isSafe = entry.sending?.rests != nil || entry.isKnown(now: now, seq: seq)
    return isSafe ? entry : nil
  }

  /// Has an entry rest on another version: the one that it rested on is not the newest, and it was not made.
  ///
  /// - Throws: An error of the file system.
  mutating func rest(_ key: String, as sending: OutboxEntry.Sending) throws {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    try note(sending, at: index)
  }

  private mutating func note(_ sending: OutboxEntry.Sending, at index: Int) throws {
    var entry = entries[index]
    entry.sending = sending
    try file?.write(entry.sent)
    entries[index] = entry
  }

  /// The service has taken an entry, or refused it: then it is taken back.
  ///
  /// - Throws: An error of the file system; the entry is then sent again later.
  mutating func end(_ key: String, _ answer: WriteAnswer?, on replica: CollectionReplica) throws {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    try file?.finish(entries[index], isLast: pending.count == 1)
    entries[index].taken = answer
    if answer == nil { entries.remove(at: index) }
    settle(on: replica, isOther: false)
  }
}
