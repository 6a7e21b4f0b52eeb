import TestSupport
import Testing

@testable import livedelta

/// The settings about services that this one sends requests to.
@Suite(.timeLimit(.minutes(10))) struct OutgoingSettingsTests {
  @Test func `a webhook without a secret, or with a wrong one, is refused at the start`()
    async throws
  {
    let files = try TemporaryFiles()
    let url = ["LIVEDELTA_WEBHOOK_URL": "http://127.0.0.1:1"]
    let bare = try await Program.run("serve", "--check-config", environment: url)
    #expect(bare.status == 78 && bare.errors.contains("webhook.secretFile"))
    let file = ["LIVEDELTA_WEBHOOK_SECRET_FILE": try files.add("whsec_abc")]
    let wrong = try await Program.run(
      "serve", "--check-config", environment: url.merging(file) { $1 })
    #expect(wrong.status == 78 && wrong.errors.contains("whsec_"))
  }

  @Test func `Retry-After is read as seconds and as a date`() {
    let now = 784_111_777  // RFC 9110 §5.6.7: Sun, 06 Nov 1994 08:49:37 GMT
    #expect(RetryAfter.delay("120", now: now) == .seconds(120))
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:51:37 GMT", now: now) == .seconds(120))
    #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:00:00 GMT", now: now) == .zero)
    #expect(RetryAfter.delay("4000000000", now: now) == .seconds(86_400))
    for text in ["", "-1", "soon", "1.5", "Sun, 06 Nov 1994 08:51:37 CET"] {
      #expect(RetryAfter.delay(text, now: now) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    "Authorization", ": Bearer secret", "Authori zation: secret", "Authorization:", "Host: secret",
    "content-type: secret", "Authorization: sec\u{1}ret", "Authorization: secr\u{E9}t",
  ])
  func `a line that is no header is refused without quoting it`(_ line: String) async throws {
    let files = try TemporaryFiles()
    let path = try files.add("X-Scope-OrgID: 7\n\(line)\n", named: "headers")
    let outcome = try await Program.run(
      "serve", "--check-config",
      environment: [
        "LIVEDELTA_TRACES_URL": "http://127.0.0.1:1", "LIVEDELTA_TRACES_HEADERS_FILE": path,
      ])
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("headers, line 2: "), "\(outcome.errors)")
    #expect(!outcome.errors.contains("secr"))
  }

  @Test(arguments: [
    ("TRACES_URL", "collector:4318"), ("TRACES_URL", "http://user:secret@collector:4318"),
    ("TRACES_RATIO", "1.5"), ("TRACES_RATIO", "-0.1"), ("TRACES_RATIO", "often"),

  ])
  func `an invalid setting is refused`(_ name: String, _ value: String) async throws {
    let outcome = try await Program.run(
      "serve", "--check-config", environment: ["LIVEDELTA_\(name)": value])
    #expect(outcome.status == 78, "\(outcome.errors)")
  }

  @Test(arguments: [("0.5", 0), ("1", 0), ("\"0.5\"", 78), ("true", 78)])
  func `the ratio is a number in the file`(_ text: String, _ status: Int32) async throws {
    let files = try TemporaryFiles()
    let path = try files.add(#"{"traces":{"ratio":\#(text)}}"#)
    let outcome = try await Program.run("serve", "--check-config", "--config", path)
    #expect(outcome.status == status, "\(outcome.errors)")
  }

  @Test(arguments: [
    ("FORWARD_URL", "backend"), ("FORWARD_URL", "ftp://backend/"), ("FORWARD_URL", "http://"),
    ("FORWARD_URL", "https://user:secret@backend/"), ("JWKS", "http://issuer.example/jwks"),
    ("JWKS", "http://localhost:80@issuer.example/jwks"), ("JWKS", "ftp://localhost/x"),
    ("JWKS", "http://127.0.0.1.issuer.example/"), ("JWKS", "issuer.example"),
    ("JWKS", "file:/nonexistent/jwks"),
  ])
  func `what is no URL of a backend or of keys is refused`(
    name: String, url: String
  ) async throws {
    let outcome = try await Program.run(
      "serve", "--check-config", environment: ["LIVEDELTA_AUTH_\(name)": url])
    #expect(outcome.status == 78, "\(outcome.errors)")
  }
}
