import Cryptography
import Dispatch
import Synchronization
import Testing

@testable import Authentication

private func bytes(_ text: String) -> [UInt8] { base64URLDecoded(Array(text.utf8)[...]) ?? [] }

private func digits(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

@Suite struct DigestTests {
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `SHA-256 is that of FIPS 180`(_ text: String, _ count: Int, _ expected: String) {
    let message = String(repeating: text, count: count).utf8
    #expect(digits(SHA256.hash(message)) == expected)
    // Bytes that are in no one piece.
    #expect(digits(SHA256.hash(message.lazy.map { $0 })) == expected)
  }

  @Test func `HMAC-SHA-256 is that of RFC 4231`() {
    let long = [UInt8](repeating: 0xAA, count: 131)
    for (key, message, expected) in [
      (
        [UInt8](repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        long, "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
      ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ] {
      let key = SecretKey(key)
      let code = key.code(of: message.utf8)
      #expect(digits(code) == expected)
      #expect(key.verifies(code, of: message.utf8))
      #expect(!key.verifies(code, of: (message + "\0").utf8))
      for forged in [code.dropLast(), [], code + [0], [code[0] ^ 1] + code[1...]] {
        #expect(!key.verifies(forged, of: message.utf8))
      }
    }
  }
}

@Suite struct SignatureTests {
  private static let claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  private static let modulus = bytes(
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0"
      + "Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5"
      + "z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7a"
      + "GhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ")
  private static let x = bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
  private static let y = bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
  private static let edwards = bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")

  /// A signature with its key.
  struct Signed: Sendable {
    let key: VerifyingKey?
    let message: String
    let signature: [UInt8]
  }

  /// RFC 7515 A.2 and A.3, and RFC 8037 A.4.
  private static let signed = [
    Signed(
      key: VerifyingKey(rsaModulus: modulus, exponent: [1, 0, 1]),
      message: "eyJhbGciOiJSUzI1NiJ9." + claims,
      signature: bytes(
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2"
          + "Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSj"
          + "tQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvW"
          + "h6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw")),
    Signed(
      key: VerifyingKey(p256X: x, y: y), message: "eyJhbGciOiJFUzI1NiJ9." + claims,
      signature: bytes(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")),
    Signed(
      key: VerifyingKey(ed25519: edwards),
      message: "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
      signature: bytes(
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")),
  ]

  @Test func `HS256 of RFC 7515 is good`() {
    let key = SecretKey(
      bytes(
        "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
    let message = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9." + Self.claims
    #expect(key.code(of: message.utf8) == bytes("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
  }

  @Test(arguments: 0..<3)
  func `a signature of the RFCs is good, and nothing that was made of it`(_ index: Int) throws {
    let signed = Self.signed[index]
    let (key, good) = (try #require(signed.key), signed.signature)
    #expect(key.verifies(good, of: signed.message.utf8))
    // Bytes that are a part of others, as in a token.
    #expect(key.verifies(good, of: Array((signed.message + ".").utf8).dropLast()))
    #expect(!key.verifies(good, of: signed.message.dropLast().utf8))
    #expect(!key.verifies(good, of: (signed.message + " ").utf8))
    for bit in 0..<(good.count * 8) {
      var forged = good
      forged[bit / 8] ^= 1 << (bit % 8)
      #expect(!key.verifies(forged, of: signed.message.utf8))
    }
    let zeros = [UInt8](repeating: 0, count: good.count)
    let half = good.count / 2
    let pieces: [[UInt8]] = [
      [], [0], Array(good.dropLast()), good + [0], [0] + good, good + good, zeros,
      zeros.map { ~$0 }, Array(good[..<half]) + zeros[half...],
      Array(zeros[..<half]) + good[half...],
      Array(good.reversed()),
    ]
    for forged in pieces {
      #expect(!key.verifies(forged, of: signed.message.utf8))
    }
    for other in Self.signed where other.message != signed.message {
      #expect(try !#require(other.key).verifies(good, of: signed.message.utf8))
    }
  }

  @Test func `numbers at the orders of the curves make no signature`() throws {
    // FIPS 186-4 D.1.2.3, and RFC 8032 §5.1: to add the order makes another text of the same number.
    let order: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC,
      0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    let (curve, edwards) = (Self.signed[1], Self.signed[2])
    let key = try #require(curve.key)
    for forged in [
      order + curve.signature[32...], curve.signature[..<32] + order, order + order,
    ] {
      #expect(!key.verifies(forged, of: curve.message.utf8))
    }
    let prime: [UInt8] = [
      0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE,
      0x14,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ]
    var (forged, carry) = (edwards.signature, 0)
    for index in 0..<32 {
      carry += Int(forged[32 + index]) + Int(prime[index])
      (forged[32 + index], carry) = (UInt8(carry & 0xFF), carry >> 8)
    }
    #expect(forged != edwards.signature && carry == 0)
    #expect(try !#require(edwards.key).verifies(forged, of: edwards.message.utf8))
  }

  @Test func `an RSA key is for PKCS1 and SHA-256 alone`() throws {
    let pair = SigningKey(.rsa(bits: 2048))
    let key = try #require(VerifyingKey(rsaModulus: pair.publicBytes, exponent: [1, 0, 1]))
    #expect(key.verifies(pair.signature("a"), of: "a".utf8))
    #expect(!key.verifies(pair.signature("a", digest: "SHA512"), of: "a".utf8))
    #expect(!key.verifies(pair.signature("a", digest: "SHA1"), of: "a".utf8))
    #expect(!key.verifies(pair.signature("a", isPSS: true), of: "a".utf8))
    #expect(!key.verifies(SigningKey(.rsa(bits: 2048)).signature("a"), of: "a".utf8))
    let curve = SigningKey(.p256)
    let point = curve.publicBytes
    let other = try #require(VerifyingKey(p256X: Array(point[1...32]), y: Array(point[33...])))
    #expect(other.verifies(curve.pair("a"), of: "a".utf8))
    #expect(!other.verifies(curve.signature("a"), of: "a".utf8))
    #expect(!other.verifies(curve.pair("a", digest: "SHA512"), of: "a".utf8))
  }

  @Test func `what is no public key is refused`() {
    func rsa(_ modulus: [UInt8], _ exponent: [UInt8]) -> Bool {
      VerifyingKey(rsaModulus: modulus, exponent: exponent) != nil
    }
    let (n, zeros) = (Self.modulus, [UInt8](repeating: 0, count: 32))
    #expect(rsa(n, [3]) && rsa([0, 0] + n, [0, 1, 0, 1]))
    for exponent in [
      [], [0], [1], [2], [1, 0, 0], [3, 0, 0, 0, 1], [UInt8](repeating: 1, count: 9),
    ] {
      #expect(!rsa(n, exponent), "\(exponent)")
    }
    let moduli: [[UInt8]] = [
      [], [0], [1], [0x7F] + n[1...], Array(n.dropLast()), Array(n.dropLast()) + [n[255] & 0xFE],
      [UInt8](repeating: 0xFF, count: 1025), [UInt8](repeating: 0, count: 256),
    ]
    for modulus in moduli {
      #expect(!rsa(modulus, [1, 0, 1]), "\(modulus.count) bytes")
    }
    for bits: UInt32 in [1024, 2040] {
      #expect(!rsa(SigningKey(.rsa(bits: bits)).publicBytes, [1, 0, 1]))
    }
    var off = Self.y
    off[31] ^= 1
    for (x, y) in [
      (Self.x, off), (Self.y, Self.x), (zeros, zeros), (zeros.map { ~$0 }, Self.y), ([], []),
      ([0] + Self.x, Self.y), (Array(Self.x.dropLast()), Self.y), (Self.x, Self.y + [0]),
      (Array(Self.x.dropLast()), [Self.x[31]] + Self.y),
    ] {
      #expect(VerifyingKey(p256X: x, y: y) == nil)
    }
    for key in [[], Array(Self.edwards.dropLast()), Self.edwards + [0]] {
      #expect(VerifyingKey(ed25519: key) == nil)
    }
  }

  @Test(arguments: 0..<3)
  func `many threads verify with one key`(_ index: Int) throws {
    let signed = Self.signed[index]
    let key = try #require(signed.key)
    let good = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<50 {
        let isForged = (thread + round).isMultiple(of: 2)
        let message = signed.message + (isForged ? "." : "")
        if key.verifies(signed.signature, of: message.utf8) != isForged {
          good.wrappingAdd(1, ordering: .relaxed)
        }
      }
    }
    #expect(good.load(ordering: .relaxed) == 400)
  }
}
