import Foundation

@testable import Authentication

/// Tokens that must be refused, by what is wrong with them.
struct ForgedTokens {
  let maker: TokenMaker
  /// Seconds since 1970.
  let now: Int64
  private(set) var all: [(name: String, token: String)] = []

  /// What a good token says; `more` comes before its end.
  private func claims(_ more: String = "", exp: Int64? = nil) -> String {
    #"{"sub":"u42","iss":"issuer","aud":"livedelta","exp":\#(exp ?? now + 60)\#(more)}"#
  }

  init(_ maker: TokenMaker, now: Int64) throws {
    (self.maker, self.now) = (maker, now)
    addAlgorithms()
    addHeaders()
    addClaims()
    try addPieces()
    addTexts()
  }

  private mutating func add(_ name: String, _ token: String) { all.append((name, token)) }

  /// Another algorithm than the key's: none, a public key as a secret, the key of another kind.
  private mutating func addAlgorithms() {
    for alg in [
      "none", "None", "NONE", "nOnE", "", "HS384", "HS512", "hs256", "RS512", "PS256", "ES384",
    ] {
      for kid in ["h", "e"] {
        let header = #"{"alg":"\#(alg)","kid":"\#(kid)"}"#
        add("alg \(alg) for \(kid), unsigned", maker.token(header, claims()) { _ in [] })
        add("alg \(alg) for \(kid), with a mac", maker.token(header, claims(), maker.mac))
      }
    }
    let point = maker.curve.publicBytes
    let der = maker.curve.publicDER
    let halves: [(String, [UInt8])] = [
      ("e", point), ("e", Array(point.dropFirst())),
      ("e", Array(pem(der).utf8)), ("e", der), ("d", maker.edwards.publicBytes),
      ("r", Array(maker.set.utf8)), ("r", Array("AQAB".utf8)), ("h", []), ("h", [0]),
      ("h", [UInt8](repeating: 0, count: 32)),
    ]
    for (kid, half) in halves {
      add(
        "HS256 with what is public of \(kid), \(half.count) bytes",
        maker.token(#"{"alg":"HS256","kid":"\#(kid)"}"#, claims()) { maker.mac($0, half) })
    }
    for (alg, kid) in [
      ("ES256", "h"), ("EdDSA", "e"), ("ES256", "d"), ("RS256", "e"), ("HS256", "d"),
    ] {
      add(
        "\(alg) for \(kid)",
        maker.token(#"{"alg":"\#(alg)","kid":"\#(kid)"}"#, claims(), maker.ecdsa))
    }
  }

  /// A key that is not ours, and headers that bring their own.
  private mutating func addHeaders() {
    let stranger = TokenMaker()
    for id in ["h", "e", "d"] { add("of another's \(id)", stranger.token(id, claims())) }
    let own = #""jwk":{"kty":"oct","k":"\#(base64URL(stranger.secret))","alg":"HS256"}"#
    add(
      "a key in the header",
      maker.token(#"{"alg":"HS256","kid":"h",\#(own)}"#, claims()) { stranger.mac($0) })
    let headers = [
      #"{"alg":"HS256"}"#, #"{"alg":"HS256","kid":""}"#, #"{"alg":"HS256","kid":"x"}"#,
      #"{"alg":"HS256","kid":"H"}"#, #"{"alg":"HS256","kid":"h "}"#, #"{"alg":"HS256","kid":null}"#,
      #"{"alg":"HS256","kid":["h"]}"#, #"{"alg":"HS256","kid":0}"#,
      #"{"alg":"HS256","kid":"../h"}"#, #"{"alg":"HS256","kid":"/dev/null"}"#,
      #"{"alg":"HS256","kid":"h' OR '1'='1"}"#, #"{"alg":"HS256","kid":"h\u0000"}"#,
      #"{"alg":["HS256"],"kid":"h"}"#, #"{"alg":null,"kid":"h"}"#, #"{"kid":"h"}"#, "{}", "[]",
      "null", "", "\"HS256\"", #"{"alg":"HS256","kid":"h""#, #"{"alg":"HS256","kid":"h"}}"#,
      #"{"alg":"HS256","kid":"h","kid":"h"}"#, #"{"alg":"none","alg":"HS256","kid":"h"}"#,
      #"{"alg":"HS256","kid":"h","\u0061lg":"HS256"}"#,
      #"{"alg":"HS256","kid":"h","crit":["exp"],"exp":1}"#, #"{"alg":"HS256","kid":"h","crit":[]}"#,
      #"{"alg":"HS256","kid":"h","b64":false,"crit":["b64"]}"#,
      #"{"alg":"HS256","kid":"h","b64":true}"#,
      #"{"alg":"HS256","kid":"e","x5u":"https://evil.example"}"#,
      #"{"alg":"HS256","kid":"\#(String(repeating: "h", count: 4000))"}"#,
      #"{"alg":"HS256","kid":"h","x":\#(String(repeating: "[", count: 100))}"#,
    ]
    for header in headers {
      add("header \(header.prefix(60))", maker.token(header, claims(), maker.mac))
    }
  }

  /// Well signed, and saying what is not good enough.
  private mutating func addClaims() {
    let good = #""sub":"u42","iss":"issuer","aud":"livedelta""#
    var texts = [
      claims(exp: now - 30), claims(exp: now - 31), claims(exp: 0), claims(exp: -1),
      claims(#","nbf":\#(now + 31)"#), claims(#","nbf":"soon""#), claims(#","nbf":null"#),
      claims(#","exp":9999999999"#), claims(#","\u0065xp":9999999999"#), claims(#","sub":"u7""#),
      claims(#","iss":"issuer""#), "{\(good)}", "{\(good),\"exp\":null}",
      "{\(good),\"exp\":\"\(now + 60)\"}", "{\(good),\"exp\":[\(now + 60)]}",
      "{\(good),\"exp\":1e99}",
      "{\(good),\"exp\":true}", "[]", "null", "", "7", claims() + "x", "{" + claims(),
      claims(#","clients":[]"#), claims(#","clients":"u42""#), claims(#","clients":[7]"#),
      claims(#","clients":["u 42"]"#), claims(#","clients":["a/b"]"#),
      claims(#","clients":["u**"]"#),
      claims(#","clients":null"#), claims(#","collections":[]"#),
      claims(#","collections":["a/b"]"#),
      claims(#","collections":{}"#), claims(#","ops":[]"#), claims(#","ops":["admin"]"#),
      claims(#","ops":["read","delete"]"#), claims(#","ops":"write""#), claims(#","ops":[null]"#),
    ]
    texts.append(
      claims(#","clients":[\#(Array(repeating: "\"a\"", count: 65).joined(separator: ","))]"#))
    for (name, value) in [
      ("sub", "\"*\""), ("sub", "\"u*\""), ("sub", "\"**\""), ("sub", "\"\""), ("sub", "7"),
      ("sub", "\"u42/inbox\""), ("sub", "null"), ("iss", "\"Issuer\""), ("iss", "null"),
      ("iss", "[\"issuer\"]"), ("aud", "\"other\""), ("aud", "[]"), ("aud", "[\"other\"]"),
      ("aud", "null"), ("aud", "{\"livedelta\":1}"), ("aud", "\"livedelta \""),
    ] {
      var members = [
        "sub": "\"u42\"", "iss": "\"issuer\"", "aud": "\"livedelta\"", "exp": "\(now + 60)",
      ]
      members[name] = value
      texts.append("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
      members[name] = nil
      if value == "null" {
        texts.append("{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
      }
    }
    for text in texts { add("claims \(text)", maker.token("h", text)) }
  }

  /// Parts of good tokens, cut, swapped and changed.
  private mutating func addPieces() throws {
    for id in ["h", "e", "d"] {
      let good = maker.token(id, claims())
      let other = maker.token(id, claims(#","ops":["write"]"#))
      let (parts, others) = (good.split(separator: "."), other.split(separator: "."))
      for (name, pieces) in [
        ("the claims of another", [parts[0], others[1], parts[2]]),
        ("the signature of another", [parts[0], parts[1], others[2]]),
        ("no signature", [parts[0], parts[1], ""]), ("no claims", [parts[0], "", parts[2]]),
        ("no header", ["", parts[1], parts[2]]), ("two parts", [parts[0], parts[1]]),
        ("four parts", parts + [parts[2]]), ("five parts", parts + parts.prefix(2)),
        ("parts turned", [parts[1], parts[0], parts[2]]),
        ("a signature that is cut", [parts[0], parts[1], parts[2].dropLast(4)]),
        ("a signature twice", [parts[0], parts[1], parts[2] + parts[2]]),
        ("padding", [parts[0], parts[1], parts[2] + "="]),
      ] as [(String, [Substring])] {
        add("\(id): \(name)", pieces.joined(separator: "."))
      }
      let raw = try require(base64URLDecoded(Array(parts[2].utf8)[...]))
      for (name, bytes) in [
        ("nothing but zeros", [UInt8](repeating: 0, count: raw.count)),
        ("nothing but ones", [UInt8](repeating: 0xFF, count: raw.count)),
        ("a bit changed", raw.dropLast() + [(raw.last ?? 0) ^ 1]),
      ] {
        add("\(id): \(name)", parts[0] + "." + parts[1] + "." + base64URL(Array(bytes)))
      }
    }
    add(
      "a signature in DER",
      maker.token(#"{"alg":"ES256","kid":"e"}"#, claims()) { maker.curve.signature($0) })
  }

  /// What is no token at all.
  private mutating func addTexts() {
    for text in [
      ".", "..", "...", "a.b.c", "e30.e30.e30", "e30..", "null.null.null", "\u{0}.\u{0}.\u{0}",
      String(repeating: ".", count: 8000), String(repeating: "A", count: 9000),
      "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "%2e.%2e.%2e", "ä.ö.ü",
    ] { add("text \(text.prefix(40))", text) }
    add(
      "claims of a megabyte",
      maker.token(#"{"alg":"HS256","kid":"h"}"#, String(repeating: " ", count: 1 << 20), maker.mac))
  }
}

/// A public key as tools write it.
private func pem(_ der: [UInt8]) -> String {
  "-----BEGIN PUBLIC KEY-----\n"
    + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    + "\n-----END PUBLIC KEY-----"
}

/// What a test cannot go on without.
private func require<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw CancellationError() }
  return value
}
