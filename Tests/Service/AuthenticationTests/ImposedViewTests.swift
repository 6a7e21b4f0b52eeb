import Testing

@testable import Authentication

/// Restrictions by a key, a token or the backend.
@Suite struct ImposedViewTests {
  private let long = String(repeating: "a", count: ImposedView.bytesMax)

  /// Whether it is a restriction that refuses.
  private func refuses(_ view: ImposedView?) -> Bool {
    if case .refused? = view { true } else { false }
  }

  @Test func `a text that cannot be a view refuses`() {
    #expect(ImposedView(long) == .text(long))
    #expect(ImposedView("where=/a:eq:1") == .text("where=/a:eq:1"))
    let broken = String(decoding: Array("where=/team:ne:caf".utf8) + [0xE9], as: UTF8.self)
    for text in ["", long + "a", broken] { #expect(refuses(ImposedView(text)), "\(text)") }
  }

  @Test func `two fields of a verdict refuse, equal or not`() {
    #expect(ImposedView(fields: []) == nil)
    #expect(ImposedView(fields: ["select=/a"]) == .text("select=/a"))
    for fields in [["where=/team:eq:blue", "select=/t"], ["a", "a"], ["a", ""], [""]] {
      #expect(refuses(ImposedView(fields: fields)), "\(fields)")
      let answer = ForwardAnswer(status: 200, views: fields)
      #expect(refuses(answer.view) && answer.refusal == nil)
    }
  }

  private func principal(claims: String) throws -> Principal {
    let maker = TokenMaker()
    let token = maker.token("h", #"{"sub":"u42","exp":100000\#(claims)}"#)
    return try TokenKeys(Array(maker.set.utf8))
      .principal(Array(token.utf8)[...], TokenRules(), now: 1000)
  }

  @Test(arguments: ["null", "[]", "[\"where=/a:exists\"]", "\"\"", "0", "false", "true", "1.5"])
  func `a claim that is no view refuses reading; the token is good`(_ claim: String) throws {
    let principal = try principal(claims: #","ops":["write"],"view":\#(claim)"#)
    let views = principal.imposedViews(client: "u42", name: "inbox")
    #expect(views.count == 1 && views.allSatisfy(refuses))
    #expect(principal.meets(.collection(.read, client: "u42", name: "inbox")))
    for requirement in [
      Requirement.collection(.write, client: "u42", name: "inbox"),
      .allCollections(.read, client: "u42"), .someCollections(.write, client: "u42"),
    ] {
      #expect(!principal.meets(requirement), "\(requirement)")
    }
  }

  @Test(arguments: [
    ("", nil), (#","view":"where=/a:eq:1""#, "where=/a:eq:1"), (#","view":{}"#, "{}"),
    (#","view":{"where":null}"#, #"{"where":null}"#),
    (#","view":{"where":[],"where":["/a:exists"]}"#, #"{"where":[],"where":["/a:exists"]}"#),
  ])
  func `a claim that is an object or a text is kept as written`(
    _ claim: String, _ text: String?
  ) throws {
    let views = try principal(claims: claim).imposedViews(client: "u42", name: "inbox")
    #expect(views == (text.map { [.text($0)] } ?? []))
  }

  private func principal(_ scopes: String) throws -> Principal {
    Principal(
      name: "p", scopes: try scopes.split(separator: " ").map { try Scope(String($0)) },
      expires: nil, source: .key(.secret(digest)))
  }

  @Test(arguments: [
    ("read:u42", []), ("write:** read:u42?select=/a", []), ("read:u42?select=/a read:u*", []),
    ("read:u42?select=/a", ["select=/a"]),
    ("read:u42/in*?select=/a read:u42?select=/a", ["select=/a"]),
    ("read:u42?select=/a read:**?select=/b", ["select=/a", "select=/b"]),
    ("read:u7?select=/c read:u42/inbox?select=/b", ["select=/b"]),
    ("write:u42/cart read:u42/inbox?select=/b", ["select=/b"]),
  ])
  func
    `a principal has each distinct view of the scopes that allow reading; one scope without a view wins`(
      _ scopes: String, _ views: [String]
    ) throws
  {
    let principal = try principal(scopes)
    #expect(principal.imposedViews(client: "u42", name: "inbox") == views.map { .text($0) })
  }

  @Test func `a collection that no scope allows is refused, not shown`() throws {
    let views = try principal("read:u7?select=/a").imposedViews(client: "u42", name: "inbox")
    #expect(views.count == 1 && views.allSatisfy(refuses))
  }

  @Test func `a scope with a view that cannot be one is an error of the keys file`() throws {
    for scope in ["read:u42?", "write:u42?select=/a", "read:u42?" + long + "a"] {
      #expect(throws: ScopeError.badView(scope)) { try Scope(scope) }
    }
    #expect(
      throws: KeysError(line: 2, reason: .badScope(.refusedView("it says nothing")))
    ) {
      try KeyList("a \(KeyDigest(of: "a".utf8)) admin\nb \(digest) read:u42?where=") {
        $0 == .text("where=") ? "it says nothing" : nil
      }
    }
  }
}
