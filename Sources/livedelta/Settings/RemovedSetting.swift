/// A setting of an earlier release that is fixed now.
struct RemovedSetting: Sendable {
  /// Its name in the configuration file.
  let name: String
  /// What holds instead, and why; the end of an error message.
  let reason: String

  private init(_ name: String, _ reason: String) { (self.name, self.reason) = (name, reason) }

  /// All of them.
  static let all = [
    RemovedSetting("collection", "each command names its collection, as CLIENT/NAME"),
    // A queue that is longer holds what no longer has an asker.
    RemovedSetting("database.queuedMax", "10,000 reads, and as many writes, wait for a connection"),
    RemovedSetting("database.connectSeconds", "connect_timeout in data says it, else 2 seconds"),
    RemovedSetting(
      "database.answerSeconds", "it is three seconds more than database.statementSeconds"),
    RemovedSetting("log.linesPerSecondMax", "100 lines a second of one kind, others are counted"),
    RemovedSetting("log.faultLinesPerSecondMax", "10 lines a second of one kind of fault"),
    RemovedSetting("auth.forward.graceSeconds", "30 seconds, in which a backend restarts"),
    RemovedSetting(
      "webhook.positionFile", "it is webhook-position in the directory of the store"),
    RemovedSetting("webhook.attemptsMax", "20 attempts, over an hour"),
    RemovedSetting("traces.queueSpansMax", "2,048 spans, four batches"),
    RemovedSetting("traces.batchSpansMax", "512 spans, as exporters of OpenTelemetry send"),
    RemovedSetting("traces.intervalSeconds", "5 seconds, as exporters of OpenTelemetry wait"),
    RemovedSetting("drain.graceSeconds", "5 seconds; only answers that are under way need them"),
    RemovedSetting("limits.idempotencyKeysMax", "1,000 keys of a collection, as the protocol says"),
    RemovedSetting("limits.idempotencySeconds", "24 hours, as the protocol says"),
    RemovedSetting(
      "limits.dataCountAnimationThreshold",
      "10,000 items, or what the collection's own settings say"),
    RemovedSetting(
      "limits.deltaCountAnimationThreshold",
      "10,000 changes, or what the collection's own settings say"),
    // Preparing less takes less time than handing it to a worker and back.
    RemovedSetting("limits.inlineBodyBytesMax", "256 KiB, for which no worker is worth its while"),
    RemovedSetting("limits.parsedBytesMax", "16 MiB; parsed, they take several times as much"),
    RemovedSetting("limits.syncBytesMax", "64 MiB, as the contents of a collection"),
    RemovedSetting("limits.patchStepsMax", "10,000,000 steps, a second of work"),
    RemovedSetting("limits.settingsListMax", "64 entries, as the protocol says"),
    RemovedSetting("limits.settingsPointerBytesMax", "1,024 bytes"),
    RemovedSetting("limits.settingsPointerTokensMax", "64 tokens, as deep as JSON may be"),
    RemovedSetting("limits.animationsBytesMax", "64 KiB; they are in every answer"),
    RemovedSetting(
      "limits.retentionVersionsMax", "256 versions, or history.versionsMax if that is more"),
    RemovedSetting(
      "limits.retentionSecondsMax", "ten years, or history.secondsMax if that is more"),
    RemovedSetting("limits.retentionBytesMax", "64 MiB, or history.bytesMin if that is more"),
    RemovedSetting("limits.animationThresholdMax", "1,000,000"),
    // No client in use sends either; what is over them is an attack.
    RemovedSetting("limits.chunkExtensionBytesMax", "64 KiB"),
    RemovedSetting("limits.trailerBytesMax", "8 KiB"),
    RemovedSetting("limits.requestsPerConnectionMax", "100,000 requests"),
    RemovedSetting("limits.pipelineDepthMax", "64 requests; then other connections have a turn"),
    RemovedSetting("limits.outputBytesMax", "256 KiB, more than a connection has under way"),
    // A reader who takes nothing gets one delta later.
    RemovedSetting("limits.streamBytesMax", "16 KiB; a slow reader gets fewer, larger changes"),
    RemovedSetting("limits.discardBytesMax", "64 KiB; more costs more than a new connection"),
    RemovedSetting("limits.lingerBytesMax", "64 MiB, four times the largest body"),
    RemovedSetting("limits.listenBacklog", "1,024, or what the kernel allows if that is less"),
    RemovedSetting("timeouts.headerSeconds", "10 seconds"),
    RemovedSetting("timeouts.bodySeconds", "30 seconds, and then at least 4,096 bytes a second"),
    RemovedSetting("timeouts.bodyBytesPerSecondMin", "4,096 bytes a second, the slowest of lines"),
    RemovedSetting("timeouts.stallSeconds", "2 seconds, and only while there is no room"),
    RemovedSetting("timeouts.writeSeconds", "30 seconds in which nothing of an answer is taken"),
    RemovedSetting("timeouts.lingerSeconds", "5 seconds"),
  ]
}
