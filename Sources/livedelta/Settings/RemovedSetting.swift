/// A setting of an earlier release that is fixed now.
struct RemovedSetting: Sendable {
  /// Its name in the configuration file.
  let name: String
  /// What holds instead, and why; the end of an error message.
  let reason: String

  /// All of them.
  static let all = reasons.map { RemovedSetting(name: $0.key, reason: $0.value) }

  private static let reasons: KeyValuePairs = [
    "collection": "each command names its collection, as CLIENT/NAME",
    // A queue that is longer holds what no longer has an asker.
    "database.queuedMax": "10,000 reads, and as many writes, wait for a connection",
    "database.connectSeconds": "connect_timeout in data says it, else 2 seconds",
    "database.answerSeconds": "it is three seconds more than database.statementSeconds",
    "log.linesPerSecondMax": "100 lines a second of one kind, others are counted",
    "log.faultLinesPerSecondMax": "10 lines a second of one kind of fault",
    "auth.forward.graceSeconds": "30 seconds, in which a backend restarts",
    "webhook.positionFile": "it is webhook-position in the directory of the store",
    "webhook.attemptsMax": "20 attempts, over an hour",
    "traces.queueSpansMax": "2,048 spans, four batches",
    "traces.batchSpansMax": "512 spans, as exporters of OpenTelemetry send",
    "traces.intervalSeconds": "5 seconds, as exporters of OpenTelemetry wait",
    "drain.graceSeconds": "5 seconds; only answers that are under way need them",
    "limits.idempotencyKeysMax": "1,000 keys of a collection, as the protocol says",
    "limits.idempotencySeconds": "24 hours, as the protocol says",
    "limits.dataCountAnimationThreshold": "10,000 items, or what the collection's own settings say",
    "limits.deltaCountAnimationThreshold":
      "10,000 changes, or what the collection's own settings say",
    // Preparing less takes less time than handing it to a worker and back.
    "limits.inlineBodyBytesMax": "256 KiB, for which no worker is worth its while",
    "limits.parsedBytesMax": "16 MiB; parsed, they take several times as much",
    "limits.syncBytesMax": "64 MiB, as the contents of a collection",
    "limits.patchStepsMax": "10,000,000 steps, a second of work",
    "limits.settingsListMax": "64 entries, as the protocol says",
    "limits.settingsPointerBytesMax": "1,024 bytes",
    "limits.settingsPointerTokensMax": "64 tokens, as deep as JSON may be",
    "limits.animationsBytesMax": "64 KiB; they are in every answer",
    "limits.retentionVersionsMax": "256 versions, or history.versionsMax if that is more",
    "limits.retentionSecondsMax": "ten years, or history.secondsMax if that is more",
    "limits.retentionBytesMax": "64 MiB, or history.bytesMin if that is more",
    "limits.animationThresholdMax": "1,000,000",
    // No client in use sends either; what is over them is an attack.
    "limits.chunkExtensionBytesMax": "64 KiB",
    "limits.trailerBytesMax": "8 KiB",
    "limits.requestsPerConnectionMax": "100,000 requests",
    "limits.pipelineDepthMax": "64 requests; then other connections have a turn",
    "limits.outputBytesMax": "256 KiB, more than a connection has under way",
    // A reader who takes nothing gets one delta later.
    "limits.streamBytesMax": "16 KiB; a slow reader gets fewer, larger changes",
    "limits.discardBytesMax": "64 KiB; more costs more than a new connection",
    "limits.lingerBytesMax": "64 MiB, four times the largest body",
    "limits.listenBacklog": "4,096, or what the kernel allows if that is less",
    "timeouts.headerSeconds": "10 seconds",
    "timeouts.bodySeconds": "30 seconds, and then at least 4,096 bytes a second",
    "timeouts.bodyBytesPerSecondMin": "4,096 bytes a second, the slowest of lines",
    "timeouts.stallSeconds": "2 seconds, and only while there is no room",
    "timeouts.writeSeconds": "30 seconds in which nothing of an answer is taken",
    "timeouts.lingerSeconds": "5 seconds",
  ]
}
