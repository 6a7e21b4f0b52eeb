import Foundation
import Testing

@testable import Authentication

/// Tokens that other tools make now, with keys of their own.
@Suite struct ToolTokenTests {
  private static let hasOpenSSL = Tool.runs(["openssl", "version"])
  private static let hasPyJWT = Tool.runs(["python3", "-c", "import jwt, cryptography"])
  private let rules = TokenRules(issuer: "issuer", audience: "livedelta")

  @Test(.enabled(if: hasOpenSSL, "left out: there is no openssl"))
  func `a token that openssl signs with a new RSA key is good, and a key of 1024 bits is not`()
    throws
  {
    let tool = try Tool()
    let claims = #"{"sub":"u42","iss":"issuer","aud":"livedelta","exp":2000}"#
    let signed = [#"{"alg":"RS256","kid":"r"}"#, claims].map { base64URL(Array($0.utf8)) }
      .joined(separator: ".")
    for bits in [2048, 1024] {
      try tool.run([
        "openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:\(bits)", "-out",
        "key",
      ])
      let modulus = try tool.run(["openssl", "rsa", "-in", "key", "-noout", "-modulus"])
      let digits = String(decoding: modulus, as: UTF8.self).split(separator: "=")[1].prefix(
        bits / 4)
      let set =
        #"{"keys":[{"kty":"RSA","kid":"r","alg":"RS256","n":"\#(base64URL(bytes(digits)))","#
        + #""e":"AQAB"}]}"#
      guard bits == 2048 else {
        #expect(throws: TokenKeysError.badKey("r")) { try TokenKeys(Array(set.utf8)) }
        continue
      }
      try signed.write(toFile: tool.folder + "/signed", atomically: false, encoding: .utf8)
      let signature = try tool.run(["openssl", "dgst", "-sha256", "-sign", "key", "signed"])
      let keys = try TokenKeys(Array(set.utf8))
      let token = Array("\(signed).\(base64URL(signature))".utf8)
      #expect(try keys.principal(token[...], rules, now: 1000).expires == 2030)
      #expect(throws: TokenFault.expired) { try keys.principal(token[...], rules, now: 2030) }
    }
  }

  @Test(.enabled(if: hasPyJWT, "left out: there is no PyJWT with cryptography"))
  func `tokens that PyJWT signs with new keys are good, each with its own key alone`() throws {
    let lines = String(decoding: try Tool().run(["python3", "-c", Self.python]), as: UTF8.self)
      .split(separator: "\n")
    let keys = try TokenKeys(Array(try #require(lines.first).utf8))
    #expect(keys.count == 4 && lines.count == 5)
    let other = try TokenKeys(Array(RealTokens.keys.utf8))
    for line in lines.dropFirst() {
      let token = Array(line.utf8)[...]
      let principal = try keys.principal(token, rules, now: 1000)
      #expect(principal.scopes.map(\.description) == ["write:u*/inbox"])
      #expect(throws: TokenFault.badSignature) { try other.principal(token, rules, now: 1000) }
    }
  }

  /// Prints a set of keys, and a token for each.
  private static let python = #"""
    import jwt, json, secrets
    from jwt.algorithms import HMACAlgorithm, RSAAlgorithm, ECAlgorithm, OKPAlgorithm
    from cryptography.hazmat.primitives.asymmetric import rsa, ec, ed25519
    keys = {
      'h': ('HS256', HMACAlgorithm, secrets.token_bytes(32)),
      'r': ('RS256', RSAAlgorithm, rsa.generate_private_key(65537, 2048)),
      'e': ('ES256', ECAlgorithm, ec.generate_private_key(ec.SECP256R1())),
      'd': ('EdDSA', OKPAlgorithm, ed25519.Ed25519PrivateKey.generate()),
    }
    entries = []
    for id, (alg, kind, key) in keys.items():
      half = key if id == 'h' else key.public_key()
      entries.append({**json.loads(kind.to_jwk(half)), 'kid': id, 'alg': alg})
    print(json.dumps({'keys': entries}))
    claims = {'clients': ['u*'], 'collections': ['inbox'], 'ops': ['read', 'write'],
              'iss': 'issuer', 'aud': ['livedelta'], 'nbf': 900, 'exp': 2000}
    for id, (alg, kind, key) in keys.items():
      print(jwt.encode(claims, key, alg, headers={'kid': id}))
    """#

  private func bytes(_ digits: Substring) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}

/// Runs programs in a folder of its own.
private final class Tool {
  let folder = NSTemporaryDirectory() + "tokens-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  struct Failed: Error {
    let arguments: [String]
    let status: Int32
  }

  /// The standard output of a program that succeeds.
  @discardableResult
  func run(_ arguments: [String]) throws -> [UInt8] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(arguments: arguments, status: process.terminationStatus)
    }
    return [UInt8](bytes)
  }

  static func runs(_ arguments: [String]) -> Bool { (try? Tool().run(arguments)) != nil }
}
