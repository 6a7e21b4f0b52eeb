import Testing

@testable import Authentication

@Suite struct WebhookSecretTests {
  @Test func `the example of Standard Webhooks has its signature`() throws {
    let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330,
      body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test(arguments: [
    "", "whsec_", "whsec_abc", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa Sw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw===",
    "whsec_" + String(repeating: "A", count: 88),
  ])
  func `what is no secret is refused`(text: String) {
    #expect(WebhookSecret(text) == nil)
  }
}
