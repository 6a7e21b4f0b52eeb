import Cryptography
import Synchronization

/// A key that tokens are signed with: it has one algorithm, which is its own and never the token's.
final class TokenKey: Sendable {
  let id: String
  let algorithm: TokenAlgorithm
  /// Tells it from another key of the same id.
  let digest: KeyDigest
  private let verifier: Verifier
  private let wasWithdrawn = Atomic(false)

  /// What tells whether a signature is the key's.
  enum Verifier: Sendable {
    case secret(SecretKey)
    case pair(VerifyingKey)
  }

  init(id: String, algorithm: TokenAlgorithm, digest: KeyDigest, verifier: Verifier) {
    self.id = id
    self.algorithm = algorithm
    self.digest = digest
    self.verifier = verifier
  }

  func verifies(_ signature: [UInt8], of bytes: ArraySlice<UInt8>) -> Bool {
    switch verifier {
    case .secret(let key): key.verifies(signature, of: bytes)
    case .pair(let key): key.verifies(signature, of: bytes)
    }
  }

  /// Ends it, and with it everything that it vouched for.
  func withdraw() { wasWithdrawn.store(true, ordering: .releasing) }

  /// Whether it is gone from its set.
  var isWithdrawn: Bool { wasWithdrawn.load(ordering: .acquiring) }
}

/// How a token is signed (RFC 7518 §3.1, RFC 8037 §3.1).
enum TokenAlgorithm: String {
  case hs256 = "HS256"
  case rs256 = "RS256"
  case es256 = "ES256"
  case edDSA = "EdDSA"

  var keyType: String {
    switch self {
    case .hs256: "oct"
    case .rs256: "RSA"
    case .es256: "EC"
    case .edDSA: "OKP"
    }
  }

  /// The `crv` of its keys; nil for keys without one.
  var curve: String? {
    switch self {
    case .hs256, .rs256: nil
    case .es256: "P-256"
    case .edDSA: "Ed25519"
    }
  }

  /// The only algorithm for keys of a type and curve; nil when there are several.
  init?(keyType: String?, curve: String?) {
    switch (keyType, curve) {
    case ("EC", "P-256"): self = .es256
    case ("OKP", "Ed25519"): self = .edDSA
    default: return nil
    }
  }
}
