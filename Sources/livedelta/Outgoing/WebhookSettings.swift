import Authentication
import DeltaHTTP
import LiveDeltaClient

/// Where changes are pushed to, and what they are signed with.
enum WebhookSettings {
  private static let answerBytesMax = 64 << 10

  /// Returns the configured webhook; `nil` without `webhook.url`.
  ///
  /// - Throws: `InputError` or `Failure` if a setting or the file of secrets is invalid.
  static func configuration(_ settings: Settings) throws -> WebhookConfiguration? {
    guard let target = try OutgoingTarget(.webhookURL, settings) else { return nil }
    let client = target.client(
      connecting: .seconds(5), answering: .seconds(15), bodyBytesMax: answerBytesMax)
    let position = try positionFile(settings)
    return WebhookConfiguration(
      secrets: try secrets(settings), load: { position?.load() }, save: { try position?.save($0) }
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

  private static func secrets(_ settings: Settings) throws -> [WebhookSecret] {
    let file = try settings.string(.webhookSecretFile)
    guard !file.isEmpty else {
      throw Failure(
        .configuration, "webhook.url needs webhook.secretFile",
        advice: "make one: echo \"whsec_$(openssl rand -base64 32)\" > FILE")
    }
    let words = String(decoding: try InputFile.read(file), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    let secrets = words.compactMap { WebhookSecret($0) }
    guard !secrets.isEmpty, secrets.count == words.count else {
      let bytes = WebhookSecret.byteCounts
      throw Failure.configuration(
        "\(file): a secret is whsec_ and \(bytes.lowerBound) to \(bytes.upperBound) bytes in "
          + "base64; several are for rotation")
    }
    return secrets
  }

  private static func positionFile(_ settings: Settings) throws -> PositionFile? {
    let path = try settings.string(.webhookPositionFile)
    if !path.isEmpty { return PositionFile(path: path) }
    let data = try settings.string(.data)
    return data == ":memory:" || data.contains("://")
      ? nil : PositionFile(path: data + "/webhook-position")
  }
}
