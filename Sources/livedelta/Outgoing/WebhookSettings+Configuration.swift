import Authentication
import DeltaHTTP
import LiveDeltaClient

extension WebhookSettings {
  private static let answerBytesMax = 64 << 10

  /// Returns the configured webhook; `nil` without `webhook.url`.
  ///
  /// - Parameter data: Where the service keeps its data.
  /// - Returns: The webhook.
  /// - Throws: `InputError` or `Failure` if a setting or the file of secrets is invalid.
  func configuration(data: String) throws -> WebhookConfiguration? {
    guard let target = try OutgoingTarget(url, "webhook.url") else { return nil }
    let client = target.client(
      connecting: .seconds(5), answering: .seconds(15), bodyBytesMax: Self.answerBytesMax)
    // A database keeps the position itself; in memory, nothing of before could be continued.
    let position =
      data == ":memory:" || data.contains("://")
      ? nil : PositionFile(path: data + "/webhook-position")
    return WebhookConfiguration(
      secrets: try secrets(), load: { position?.load() }, save: { try position?.save($0) }
    ) { [path = target.path] fields, body in
      let fields = fields.map { HTTPField($0.name, $0.value) }
      // An error is no answer: the delivery is attempted again, and given up with a fault.
      let answer = try? await client.request("POST", path, fields: fields, body: body)
      return answer.map { answer in
        WebhookConfiguration.Answer(
          status: answer.status, retryAfter: answer["Retry-After"].flatMap { RetryAfter.delay($0) })
      }
    }
  }

  private func secrets() throws -> [WebhookSecret] {
    guard !secretFile.isEmpty else {
      throw Failure(
        .configuration, "webhook.url needs webhook.secretFile",
        advice: "make one: echo \"whsec_$(openssl rand -base64 32)\" > FILE")
    }
    let words = String(decoding: try InputFile.read(secretFile), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    let secrets = words.compactMap { WebhookSecret($0) }
    guard !secrets.isEmpty, secrets.count == words.count else {
      let bytes = WebhookSecret.byteCounts
      throw Failure.configuration(
        "\(secretFile): a secret is whsec_ and \(bytes.lowerBound) to \(bytes.upperBound) bytes in "
          + "base64; several are for rotation")
    }
    return secrets
  }
}
