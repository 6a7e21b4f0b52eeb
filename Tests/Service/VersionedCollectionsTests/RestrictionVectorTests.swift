import SnapshotJSON
import Testing

@testable import VersionedCollections

/// What tokens of restricted readers are made of.
///
/// Readers hold these tokens while the service is updated: the values
/// never change between releases. They were computed with another program, from what PROTOCOL.md says.
@Suite struct RestrictionVectorTests {
  /// A restriction in several spellings, its text, its mark, and the third part of a version's token.
  struct Vector: Sendable, CustomTestStringConvertible {
    var spellings: [String]
    var text: String
    var mark: String
    var digest: String
    var testDescription: String { text }
  }

  private static let lineage = Lineage(
    name: "k3f9m2qx", secret: Lineage.Secret((1...16).map { UInt8($0) }) ?? .unreadable)
  private static let plain = VersionToken(
    lineage: "k3f9m2qx", seq: 44, digest: "1HP-jIGrawhO8P_h")

  static let vectors = [
    Vector(
      spellings: [
        "where=/public:eq:true", "where=/public:eq: true ", "where=/public:eq:true&show=headers",
        "where=/public:eq:true&where=/public:eq:true",
      ],
      text: #"{"where":["/public:eq:true"],"show":["headers"]}"#, mark: "vK8JJD0GX",
      digest: "Rbp_Dqy5u3or8JAr"),
    Vector(
      spellings: [
        "where=/team:eq:blue&where=/price:lt:20&select=/id,/title",
        #"select=/title,/id,/title/a&where=/price:lt:2e1&where=/team:eq:"blue""#,
        #"show=headers&where=/price:lt:20.0&where=/team:eq:"\u0062lue"&select=/id,/title"#,
      ],
      text:
        #"{"where":["/price:lt:0.2e2","/team:eq:\"blue\""],"select":["/id","/title"],"show":["headers"]}"#,
      mark: "vLtfbTTSs", digest: "OsyJngB5dpnWSBFs"),
    Vector(
      spellings: ["select=/title", "select=/title,/title", "select=/title/a,/title"],
      text: #"{"where":[],"select":["/title"],"show":["headers"]}"#, mark: "vIPWaYAyP",
      digest: "iq0QZh8uIFv_d-oj"),
    Vector(
      spellings: [
        "where=/public:eq:true&show=headers,meta,animations",
        "show=animations,meta,headers&where=/public:eq:true",
      ],
      text: #"{"where":["/public:eq:true"],"show":["animations","headers","meta"]}"#,
      mark: "vFhAdXK-C", digest: "ear8ORY2fxFqxWOI"),
    Vector(
      spellings: ["where=/public:eq:true&show="],
      text: #"{"where":["/public:eq:true"],"show":[]}"#, mark: "v7cSd4o5q",
      digest: "ZLzfAIIQuiLSUDfW"),
  ]

  private func restriction(_ text: String) throws -> ViewRestriction {
    try ViewRestriction(
      text.split(separator: "&").map { part in
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (name: String(sides[0]), value: String(sides[1]))
      })
  }

  @Test(arguments: vectors) func `a restriction has one text, and its tokens one mark`(
    vector: Vector
  ) throws {
    for spelling in vector.spellings {
      let restriction = try restriction(spelling)
      #expect(String(decoding: restriction.canonicalText, as: UTF8.self) == vector.text)
      let mark = Self.lineage.mark(restriction.canonicalText)
      #expect(mark.description == vector.mark, "\(spelling)")
      let token = Self.lineage.token(Self.plain, mark)
      #expect(token.description == "k3f9m2qx.44.\(vector.digest).\(vector.mark)", "\(spelling)")
      #expect(VersionToken(token.description) == token)
    }
  }

  @Test
  func `who may not read a collection is told its versions as a restriction that shows nothing`() {
    let hidden = Self.lineage.hiddenToken(Self.plain)
    #expect(hidden.description == "k3f9m2qx.44.h8XzHMeqHX3ge2v4.vT9sk7YzH")
  }

  @Test func `another meaning, lineage, secret, version or content is another token`() throws {
    let all = Self.vectors.map(\.mark)
    #expect(Set(all).count == all.count)
    let text = try restriction("where=/public:eq:true").canonicalText
    let mark = Self.lineage.mark(text)
    let token = Self.lineage.token(Self.plain, mark)
    let others = [
      Lineage(name: "k3f9m2qy", secret: Self.lineage.secret),
      Lineage(
        name: "k3f9m2qx", secret: try #require(Lineage.Secret((2...17).map { UInt8($0) }))),
    ]
    for other in others {
      #expect(other.mark(text) != mark)
      #expect(other.token(Self.plain, other.mark(text)).digest != token.digest)
    }
    let plains = [
      VersionToken(lineage: "k3f9m2qx", seq: 45, digest: Self.plain.digest),
      VersionToken(lineage: "k3f9m2qx", seq: 44, digest: "1HP-jIGrawhO8P_i"),
    ]
    for plain in plains { #expect(Self.lineage.token(plain, mark).digest != token.digest) }
    #expect(Self.lineage.token(Self.plain.marked(mark), mark) == token)
  }

  @Test func `a secret is shown by nothing that prints it`() throws {
    let secret = Self.lineage.secret
    #expect(secret.bytes == (1...16).map { UInt8($0) } && Lineage.Secret(secret.bytes) == secret)
    #expect(Lineage.Secret([1, 2, 3]) == nil)
    for text in ["\(secret)", String(reflecting: secret), "\(Self.lineage)"] {
      #expect(!text.contains("72623859790382856") && !text.contains("1, 2, 3"), "\(text)")
    }
    var dumped = ""
    dump(Self.lineage, to: &dumped)
    #expect(!dumped.contains("72623859790382856"), "\(dumped)")
  }
}
