import HTTPTestSupport
import LiveDeltaClient
import TestSupport

/// Reads one collection by poll and long poll, in one dialect; comes back with older versions too.
struct Poller: TestActor {
  let client: String
  let collection: String
  private let isUnruly: Bool
  private var held: HeldVersion
  private var older: [HeldVersion] = []
  private var random: SeededGenerator

  init(_ client: String, _ collection: String, dialect: Int, isUnruly: Bool = false, seed: UInt64) {
    self.client = client
    self.collection = collection
    self.isUnruly = isUnruly
    held = HeldVersion(dialect: dialect, isUnruly: isUnruly)
    random = SeededGenerator(seed: seed)
  }

  private var name: String { "\(client)/\(collection)" }

  mutating func act(_ session: ClientSession) async throws {
    var asking = held
    if let old = older.randomElement(using: &random), chance(4) { asking = old }
    if chance(30) { asking = HeldVersion(dialect: held.dialect, isUnruly: isUnruly) }
    let wait =
      ["", "", "&wait=1", "&wait=0", "&wait=2&missing=wait"]
      .randomElement(using: &random) ?? ""
    let path =
      "/v1/clients/\(client)/collections/\(collection)/delta"
      + "?since=\(asking.version ?? "")&dialect=\(asking.query)\(wait)"
      + (chance(2) ? "&items=patch" : "")
    let start = session.history.now()
    let answer = try await session.send("GET", path)
    let asked = asking.version
    if answer.status == 404 {
      held = HeldVersion(dialect: held.dialect, isUnruly: isUnruly)
      return session.add(.missing, of: name, since: start)
    }
    guard answer.status == 200 else { throw Misfit(reason: "\(path): \(answer.text)") }
    let (kind, reset): (String, String?)
    do {
      (kind, reset) = try asking.take(answer.tree)
    } catch {
      held = HeldVersion(dialect: held.dialect, isUnruly: isUnruly)
      throw Misfit(reason: "\(path): \(error)\n\(asking.content)\n\(answer.text)")
    }
    keep(asking)
    guard let version = asking.version else {
      return session.add(.missing, of: name, since: start)
    }
    let reading = Event.Reading(
      asked: asked.map { .held($0) } ?? .nothing, kind: kind, reset: reset, version: version,
      content: asking.content)
    session.add(.read(reading), of: name, since: start)
  }

  private mutating func keep(_ next: HeldVersion) {
    held = next
    older.append(next)
    if older.count > 12 { older.remove(at: Int.random(in: 0..<12, using: &random)) }
  }

  private mutating func chance(_ whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &random) == 0
  }
}
