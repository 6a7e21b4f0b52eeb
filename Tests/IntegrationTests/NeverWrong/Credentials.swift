import Cryptography
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import Synchronization
import TestSupport

/// The keys and tokens of all actors: keys are exchanged while the server runs, and tokens last a second or
/// two.
final class Credentials: Sendable {
  /// What one request shows.
  enum Credential: Hashable {
    case key(String)
    /// A token, and when it ends in seconds since 1970.
    case token(String, end: Int)
  }

  private static let tokenID = "t"
  private static let leeway = 30
  private static let scopes = "write:** changes admin"

  private let secret = Mutex("first")
  private let count = Atomic(0)
  private let refused = Atomic(0)
  private let signing = (0..<32).map { _ in UInt8.random(in: 0...255) }
  private let keysFile: String
  private let setFile: String

  /// Writes the first key, and the set with the key of the tokens.
  init(besides directory: URL) throws {
    keysFile = directory.path + "-keys"
    setFile = directory.path + "-jwks"
    let set =
      #"{"keys":[{"kty":"oct","alg":"HS256","kid":"\#(Self.tokenID)","k":"\#(base64URL(signing))"}]}"#
    try set.write(toFile: setFile, atomically: true, encoding: .utf8)
    try write(["first"])
  }

  func cleanUp() { for path in [keysFile, setFile] { unlink(path) } }

  /// What the server is started with.
  var environment: [String: String] {
    [
      "LIVEDELTA_AUTH_MODE": "keys", "LIVEDELTA_AUTH_KEYS_FILE": keysFile,
      "LIVEDELTA_AUTH_JWKS": "file:" + setFile,
    ]
  }

  private func write(_ secrets: [String]) throws {
    let lines = secrets.map { secret in
      let digest = SHA256.hash(secret.utf8).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\(secret) sha256:\(digest.joined()) \(Self.scopes)"
    }
    try lines.joined(separator: "\n").write(toFile: keysFile, atomically: true, encoding: .utf8)
  }

  /// How many keys were withdrawn.
  var exchanges: Int { count.load(ordering: .relaxed) }

  /// How many requests were refused, as they should be.
  var refusals: Int { refused.load(ordering: .relaxed) }

  // MARK: Showing one

  /// A key or a new token, in turns by a number.
  func next(_ number: Int) -> Credential {
    guard number.isMultiple(of: 2) else { return .key(secret.withLock(\.self)) }
    let end = Self.now + 2
    let claims = #"{"clients":["*"],"ops":["read","write"],"exp":\#(end - Self.leeway)}"#
    let header = #"{"alg":"HS256","kid":"\#(Self.tokenID)"}"#
    let signed = base64URL(Array(header.utf8)) + "." + base64URL(Array(claims.utf8))
    let signature = SecretKey(signing).code(of: signed.utf8)
    return .token(signed + "." + base64URL(signature), end: end)
  }

  /// Whether the server may have refused it by now; counts it if so.
  func mayRefuse(_ credential: Credential) -> Bool {
    let isOver =
      switch credential {
      case .key(let secret): secret != self.secret.withLock(\.self)
      case .token(_, let end): Self.now >= end
      }
    if isOver { refused.wrappingAdd(1, ordering: .relaxed) }
    return isOver
  }

  private static var now: Int { Int(Date().timeIntervalSince1970) }

  private func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  // MARK: Exchanging keys

  /// Adds a key, waits until the server knows it, has everybody use it, and takes the old one out; again and
  /// again until the server ends.
  func exchange(_ run: ServerRun, reload: @Sendable () -> Void) async {
    while run.isOn {
      let old = secret.withLock(\.self)
      let new = "key-\(UInt64.random(in: 0...UInt64.max))"
      guard (try? write([old, new])) != nil else { break }
      reload()
      guard await answers(200, new, run) else { break }
      secret.withLock { $0 = new }
      guard (try? write([new])) != nil else { break }
      reload()
      guard await answers(401, old, run) else { break }
      count.wrappingAdd(1, ordering: .relaxed)
    }
    // The next server starts with what everybody has.
    try? write([secret.withLock(\.self)])
  }

  /// Asks until the answer is this; false when the server ends before.
  private func answers(_ status: Int, _ secret: String, _ run: ServerRun) async -> Bool {
    let client = DeltaClient(run.address, transport: CurlTransport(), tokens: { _ in secret })
    while run.isOn {
      if (try? await client.request("GET", "/v1").status) == status { return true }
      await Task.yield()
    }
    return false
  }
}

extension Credentials.Credential {
  var secret: String {
    switch self {
    case .key(let text), .token(let text, _): text
    }
  }

  /// The field that shows it.
  var field: [String: String] { ["Authorization": "Bearer \(secret)"] }
}
