import Foundation
import SnapshotJSON
import Synchronization
import Testing

@testable import Authentication

@Suite struct TokenSourceTests {
  private let date = TestDate()
  private let requirement = Requirement.collection(.read, client: "u42", name: "inbox")

  /// A source of keys that is changed, and counted, by a test.
  private final class Keys: Sendable {
    let state = Mutex((text: "", fetches: 0))
    var text: String {
      get { state.withLock { $0.text } }
      set { state.withLock { $0.text = newValue } }
    }
    var fetches: Int { state.withLock { $0.fetches } }

    func fetch() throws(TokenKeysError) -> [UInt8] {
      let text = state.withLock { state in
        state.fetches += 1
        return state.text
      }
      guard !text.isEmpty else { throw .unreachable("down") }
      return Array(text.utf8)
    }
  }

  private func authenticator(_ keys: Keys) throws -> Authenticator {
    let source = TokenSource(
      .fetched { () throws(TokenKeysError) in try keys.fetch() }, rules: TokenRules())
    return try Authenticator(nil, tokens: source, now: { [date] in date.now })
  }

  private func refusal(_ authenticator: Authenticator, _ token: String) -> Refusal? {
    do throws(Refusal) {
      _ = try authenticator.authorize(Array("Bearer \(token)".utf8)[...], requirement)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a key that is gone from its source vouches for nothing any more`() async throws {
    let (maker, other, keys) = (TokenMaker(), TokenMaker(), Keys())
    keys.text = maker.set
    let authenticator = try authenticator(keys)
    let token = maker.token("e", #"{"sub":"u42","exp":100000}"#)
    await authenticator.refreshTokenKeys()
    #expect(refusal(authenticator, token) == nil)
    let authorization = try authenticator.authorize(Array("Bearer \(token)".utf8)[...], requirement)
    let ended = Mutex(false)
    let unwatch = authorization?.watch { _ in
    } ended: { _ in
      ended.withLock { $0 = true }
    }
    // The same id, another key.
    keys.text = other.set
    date.now += 300
    await authenticator.refreshTokenKeys()
    #expect(refusal(authenticator, token) == .badCredential)
    #expect(throws: Refusal.badCredential) { try authorization?.current() }
    let hasEnded = ended.withLock(\.self)
    #expect(hasEnded)
    unwatch?()
  }

  @Test func `an unknown kid is asked for once a minute at most`() async throws {
    let (maker, keys) = (TokenMaker(), Keys())
    keys.text = maker.set
    let authenticator = try authenticator(keys)
    await authenticator.refreshTokenKeys()
    let unknown = maker.token(
      #"{"alg":"HS256","kid":"new"}"#, #"{"sub":"u42","exp":100000}"#, maker.mac)
    for second in 1...130 {
      #expect(refusal(authenticator, unknown) == .badCredential)
      date.now = 1000 + Int64(second)
      await authenticator.refreshTokenKeys()
    }
    #expect(keys.fetches == 3)
  }

  @Test func `while the source is down the last good keys stay`() async throws {
    let (maker, keys) = (TokenMaker(), Keys())
    keys.text = maker.set
    let authenticator = try authenticator(keys)
    await authenticator.refreshTokenKeys()
    let token = maker.token("d", #"{"sub":"u42","exp":100000}"#)
    for text in ["", "{}", #"{"keys":[]}"#] {
      keys.text = text
      date.now += 300
      await authenticator.refreshTokenKeys()
      #expect(refusal(authenticator, token) == nil)
    }
    #expect(keys.fetches == 4)
  }

  @Test func `tokens are neither good nor bad while no keys were read`() async throws {
    let (maker, keys) = (TokenMaker(), Keys())
    let authenticator = try authenticator(keys)
    let token = maker.token("h", #"{"sub":"u42","exp":100000}"#)
    await authenticator.refreshTokenKeys()
    #expect(refusal(authenticator, token) == .unavailable)
    keys.text = maker.set
    date.now += 9
    await authenticator.refreshTokenKeys()
    #expect(refusal(authenticator, token) == .unavailable)
    date.now += 1
    await authenticator.refreshTokenKeys()
    #expect(refusal(authenticator, token) == nil)
  }

  @Test func `a file of keys is read again when it changes`() async throws {
    let path = NSTemporaryDirectory() + "jwks-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (maker, other) = (TokenMaker(), TokenMaker())
    try maker.set.write(toFile: path, atomically: true, encoding: .utf8)
    let authenticator = try Authenticator(
      nil, tokens: TokenSource(.file(path), rules: TokenRules()), now: { 1000 })
    try await authenticator.loadTokenKeys()
    let token = maker.token("e", #"{"sub":"u42","exp":100000}"#)
    let authorization = try #require(
      try authenticator.authorize(Array("Bearer \(token)".utf8)[...], requirement))
    // What is as it was stays, and what it vouched for.
    try (maker.set + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    await authenticator.refreshTokenKeys()
    #expect(authorization.isCurrent)
    try other.set.write(toFile: path, atomically: true, encoding: .utf8)
    await authenticator.refreshTokenKeys()
    #expect(throws: Refusal.badCredential) { try authorization.current() }
    #expect(refusal(authenticator, token) == .badCredential)
    try FileManager.default.removeItem(atPath: path)
    await #expect(throws: TokenKeysError.self) { try await authenticator.loadTokenKeys() }
  }

  @Test func `another spelling of a set ends no stream`()
    async throws
  {
    let (maker, keys) = (TokenMaker(), Keys())
    keys.text = maker.set
    let authenticator = try authenticator(keys)
    await authenticator.refreshTokenKeys()
    let ended = Atomic(0)
    let authorizations = try ["h", "e", "d"].map { id in
      let token = maker.token(id, #"{"sub":"u42","exp":100000}"#)
      return try #require(
        try authenticator.authorize(Array("Bearer \(token)".utf8)[...], requirement))
    }
    for authorization in authorizations {
      _ = authorization.watch { _ in
      } ended: { _ in
        ended.wrappingAdd(1, ordering: .relaxed)
      }
    }
    let set = try #require(JSONReader().root(of: Array(maker.set.utf8)))
    var entries = try #require(set["keys"]).elements.map { entry in
      Dictionary(uniqueKeysWithValues: entry.members.map { ($0.key, $0.value.string ?? "") })
    }
    let digits = try #require(entries[3]["n"])
    let modulus = try #require(base64URLDecoded(Array(digits.utf8)[...]))
    for index in entries.indices {
      entries[index]["use"] = index == 0 ? nil : "sig"
      entries[index]["x5t"] = "new"
    }
    // The curves have one algorithm each.
    entries[1]["alg"] = nil
    entries[3]["n"] = base64URL([0] + modulus)
    let members = entries.reversed().map { entry in
      entry.sorted { $0.key > $1.key }.map { #" "\#($0.key)" : "\#($0.value)" "# }
        .joined(separator: ",\n")
    }
    let text = #"{"keys": [{\#(members.joined(separator: "},\n{"))}]}"#
    let old = try TokenKeys(Array(maker.set.utf8)).keys
    #expect(try TokenKeys(Array(text.utf8)).keys.mapValues(\.digest) == old.mapValues(\.digest))
    keys.text = text
    date.now += 300
    await authenticator.refreshTokenKeys()
    #expect(keys.fetches == 2)
    #expect(authorizations.allSatisfy(\.isCurrent) && ended.load(ordering: .relaxed) == 0)
    // Of one key another is made.
    keys.text = text.replacing(
      maker.encoded(maker.secret), with: TokenMaker().encoded(TokenMaker().secret))
    date.now += 300
    await authenticator.refreshTokenKeys()
    #expect(authorizations.map(\.isCurrent) == [false, true, true])
    #expect(ended.load(ordering: .relaxed) == 1)
  }

  @Test func `verdicts are kept until their tokens expire, and no more of them than may be`()
    async throws
  {
    var cache: [CredentialHash: Principal] = [:]
    func hash(_ number: Int) -> CredentialHash { CredentialHash(Array("\(number)".utf8)[...]) }
    for number in 0..<(Credentials.cachedMax + 10) {
      let principal = Principal(
        name: "token", scopes: [], expires: number < 5 ? 10 : 1000, source: .key(.secret(digest)))
      cache.keep(principal, hash(number), countMax: Credentials.cachedMax) { !$0.hasExpired(20) }
      #expect(cache.count <= Credentials.cachedMax)
      // There was room when the first five were gone, and then no more.
      if number == Credentials.cachedMax {
        #expect(cache[hash(0)] == nil && cache[hash(5)] != nil)
      }
    }
    #expect(cache.count == 5)
    let (maker, keys) = (TokenMaker(), Keys())
    keys.text = maker.set
    let authenticator = try authenticator(keys)
    await authenticator.refreshTokenKeys()
    let token = maker.token("h", #"{"sub":"u42","exp":2000}"#)
    #expect(refusal(authenticator, token) == nil)
    #expect(refusal(authenticator, token) == nil)
    #expect(authenticator.credentials.state.withLock { $0.cache.count } == 1)
    date.now = 2029
    #expect(refusal(authenticator, token) == nil)
    date.now = 2030
    #expect(refusal(authenticator, token) == .expired)
  }
}

@Suite struct CredentialHashTests {
  @Test func `what differs in a bit, or in its fields, has another hash`() {
    let bytes = Array("Bearer a.b.c".utf8)
    let hash = CredentialHash(bytes[...])
    #expect(hash == CredentialHash(([0] + bytes)[1...]))
    for bit in 0..<(bytes.count * 8) {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      #expect(CredentialHash(other[...]) != hash)
    }
    for count in 0..<bytes.count {
      #expect(CredentialHash(bytes[..<count], bytes[count...]) != hash)
    }
    #expect(CredentialHash(nil, bytes[...]) != hash)
    #expect(CredentialHash([]) != CredentialHash(nil))
  }
}
