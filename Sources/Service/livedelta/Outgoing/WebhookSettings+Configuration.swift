import Authentication
import DeltaHTTP
import LiveDeltaClient
import Telemetry

extension WebhookSettings {
  /// Returns the configured webhook of a service that keeps its data there; `nil` without `webhook.url`.
  func configuration(
    data: String, _ traces: Tracing?, _ outgoing: Outgoing
  ) throws -> WebhookConfiguration? {
    guard let target = try OutgoingTarget(url, "webhook.url", outgoing) else { return nil }
    let post = target.poster(connecting: .seconds(5), answering: .seconds(15))
    // A database keeps the position itself; in memory, nothing of before could be continued.
    let position =
      data == ":memory:" || data.contains("://")
      ? nil : PositionFile(path: data + "/webhook-position")
    return WebhookConfiguration(
      secrets: try secrets(), load: { position?.load() }, save: { try position?.save($0) }
    ) { fields, body in
      let span = traces?.begin("webhook")
      let answer = await post(
        (fields + (span?.context.fields ?? [])).map { HeaderField($0.name, $0.value) }, body)
      traces?.end(span, hasFailed: answer.map { !(200...299 ~= $0.status) } ?? true)
      return answer
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
