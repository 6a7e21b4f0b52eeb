import Authentication
import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// The credentials of readers, and what the judge knows of them.
struct ReaderKeys: Sendable {
  /// What each reader may read: one only the collections of one client, two only what a view shows.
  private static let scopes =
    Array(repeating: "read:**", count: 5) + ["read:u", "read:**", "read:**"]
    + Array(repeating: PageView.imposedScope, count: 2)
  /// When the credential of each reader ends, in seconds since 1970; nil for never.
  private var ends: [Int64?] = []

  init(_ plan: Plan) {
    var generator = plan.generator(.credentials)
    let doEnd = plan.chosenFaults.contains(.credentials)
    for _ in Self.scopes {
      let end = World.firstDate + Int64(generator.below(plan.seconds))
      ends.append(doEnd && generator.below(2) == 0 ? end : nil)
    }
  }

  /// What a replica knows them by.
  func authenticator(now: @escaping @Sendable () -> Int64) -> Authenticator {
    let lines = ends.indices.map { reader in
      let end = ends[reader].map { " expires=" + ExpiryDate.text($0) } ?? ""
      return "r\(reader) \(KeyDigest(of: "r\(reader)".utf8)) \(Self.scopes[reader])" + end
    }
    do {
      return try Authenticator(.text(lines.joined(separator: "\n")), now: now)
    } catch {
      preconditionFailure("the keys are wrong: \(error)")
    }
  }

  /// Whether a reader may read collections at a date.
  func allow(_ reader: Int, _ keys: [CollectionKey], at date: Int64) -> Bool {
    let isOver = ends[reader].map { date >= $0 } ?? false
    return !isOver && (reader != 5 || keys.allSatisfy { $0.client.text == "u" })
  }
}

/// Credentials, as routes look at them: when a request comes, and before it is answered.
extension Users {
  /// Lets a request in, or refuses it.
  ///
  /// - Returns: What it is authorized by; nil if it is refused.
  func admit(
    _ reader: Reader, _ operation: Operation, _ keys: [CollectionKey], _ replica: Replica
  ) -> Authorization? {
    let isAllowed = self.keys.allow(reader.number, keys, at: replica.moment.date)
    do throws(Refusal) {
      let field = Array("Bearer r\(reader.number)".utf8)
      let client = keys[0].client.text
      var authorization = try replica.authenticator?.authorize(
        field[...],
        keys.count > 1
          ? .someCollections(.read, client: client)
          : .collection(.read, client: client, name: keys[0].name.text))
      for key in keys where keys.count > 1 {
        try authorization?.require(
          .collection(.read, client: key.client.text, name: key.name.text))
      }
      if !isAllowed || authorization == nil { world.blame("\(operation.number) is let in") }
      return authorization
    } catch {
      operation.isOver = true
      world.note("\(operation.number) is not let in: \(error)")
      if isAllowed { world.blame("\(operation.number) is not let in: \(error)") }
      return nil
    }
  }

  /// Whether a request may still be answered.
  func mayAnswer(
    _ authorization: Authorization, _ reader: Reader, _ operation: Operation,
    _ keys: [CollectionKey], _ replica: Replica
  ) -> Bool {
    let refusal = authorization.refusal()
    let isAllowed = self.keys.allow(reader.number, keys, at: replica.moment.date)
    if isAllowed != (refusal == nil) {
      world.blame("\(operation.number) is answered: \(refusal == nil), allowed: \(isAllowed)")
    }
    if let refusal { world.note("\(operation.number) is not answered: \(refusal)") }
    return refusal == nil
  }
}

/// Streams, which end with their credentials.
extension Users {
  /// Ends a stream when its credential has ended, and has it found out if it goes on.
  func watch(
    _ authorization: Authorization, _ reader: Reader, _ following: Following, _ id: UInt64,
    _ shard: Int
  ) {
    let watch = authorization.watch { [self] refusal in
      guard let following = streams.removeValue(forKey: id) else { return }
      world.note("stream \(following.operation.number) ends: \(refusal)")
      following.operation.isCut = true
      close(following.operation, following.replica)
      following.replica.handle(.left(id), shard)
    }
    following.watch = watch
    checkCredential(reader, following, id, since: nil)
  }

  /// Once a second; `since` is when the credential was seen to have ended.
  private func checkCredential(
    _ reader: Reader, _ following: Following, _ id: UInt64, since: Microseconds?
  ) {
    world.after(1.seconds) { [self] in
      guard streams[id] === following, following.replica.isAlive else {
        return following.watch?.cancel() ?? ()
      }
      let isAllowed = keys.allow(
        reader.number, following.keys, at: following.replica.moment.date)
      if let since, !isAllowed, world.now - since > 1500.milliseconds {
        world.blame("stream \(following.operation.number) goes on without a credential")
      }
      checkCredential(reader, following, id, since: isAllowed ? nil : since ?? world.now)
    }
  }
}
