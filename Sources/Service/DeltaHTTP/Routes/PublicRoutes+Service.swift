import CollectionService
import HTTP1
import SnapshotJSON
import SocketServer
import Synchronization
import VersionedCollections

extension PublicRoutes {
  /// `GET /v1`: the capabilities and limits of this server.
  func capabilities() -> HTTPResponse {
    let (limits, bounds) = (service.limits, service.limits.settingsLimits)
    let body = JSONWriter.object {
      $0.member("service", "livedelta")
      $0.member("protocol", 1)
      $0.array("dialects", Dialect.allCases) { $0.string($1.name) }
      $0.array("preferences", Preferences.all) { $0.string($1) }
      $0.bounds("wait", 0...limits.waitSecondsMax)
      $0.bounds("ping", Query.pingSeconds, default: Query.pingSecondsDefault)
      $0.beginObject("limits")
      for (name, value) in shownLimits { $0.member(name, value) }
      $0.endObject()
      // The bounds of the numbers in a collection's settings, in the structure of the settings.
      $0.beginObject("settings")
      $0.bounds("dataCountAnimationThreshold", bounds.thresholds)
      $0.bounds("deltaCountAnimationThreshold", bounds.thresholds)
      $0.beginObject("ages")
      for name in ["snapshot", "snapshotStale", "delta", "deltaStale", "version"] as [StaticString]
      {
        $0.bounds(name, bounds.ages)
      }
      $0.endObject()
      $0.beginObject("retention")
      $0.bounds("versions", bounds.versions)
      $0.bounds("seconds", bounds.seconds)
      $0.bounds("bytes", bounds.bytes)
      $0.endObject()
      $0.endObject()
      // The core module of the client for browsers, and its integrity value.
      $0.beginObject("client")
      $0.member("version", WebFile.version)
      $0.member("core", "/client/\(WebFile.version)/\(WebFile.core.name)")
      $0.member("integrity", WebFile.core.integrity)
      $0.endObject()
    }
    return .json(body, cache: "no-cache")
  }

  private var shownLimits: KeyValuePairs<StaticString, Int> {
    let (service, request) = (service.limits, limits.request)
    return [
      "bodyBytes": request.bodyBytesMax, "items": service.itemsMax,
      "sections": service.sectionsMax, "idBytes": service.idBytesMax,
      "itemBytes": service.itemBytesMax, "depth": service.depthMax, "edits": service.editsMax,
      "collectionBytes": service.collectionBytesMax, "batchBytes": service.batchBytesMax,
      "settingsListMax": service.settings.listMax,
      "settingsPointerBytes": service.settings.pointerBytesMax,
      "settingsPointerTokens": service.settings.pointerTokensMax,
      "animationsBytes": service.settings.animationsBytesMax, "syncBytes": service.syncBytesMax,
      "collectionsPerClient": service.collectionsPerClientMax,
      "headerBytes": request.headerBytesMax, "fields": request.fieldsMax,
      "targetBytes": request.targetBytesMax, "connections": limits.connectionsMax,
      "parked": service.parkedMax,
      "dataCountAnimationThreshold": service.dataCountAnimationThreshold,
      "deltaCountAnimationThreshold": service.deltaCountAnimationThreshold,
      "retainedVersions": service.retention.versionsMax,
      "windowItemsMax": ViewLimits().windowItemsMax, "viewBytes": ViewLimits().bytesMax,
      "viewMilliseconds": service.viewMillisecondsMax,
    ]
  }

  /// `GET /ui/health`: the most important metrics for an operator.
  func health() -> HTTPResponse {
    service.recountCollections()
    let (counters, metrics) = (service.counters, requestLog.metrics)
    let body = JSONWriter.object {
      $0.member("ready", service.outage == nil)
      $0.member("waiting", counters.parked.value)
      $0.member("streams", metrics.streams.load(ordering: .relaxed))
      $0.member("collections", counters.collections.value)
      $0.key("p99Milliseconds")
      if let milliseconds = metrics.p99Milliseconds { $0.number(milliseconds) } else { $0.null() }
      $0.member("refusedDeltas", counters.refusedDeltas.value)
      $0.beginObject("resets")
      $0.member("history-compacted", counters.compactedResets.value)
      $0.member("diverged", counters.divergedResets.value)
      $0.member("lineage-changed", counters.lineageResets.value)
      $0.member("view-changed", counters.viewResets.value)
      $0.member("delta-too-large", counters.tooLargeResets.value)
      $0.endObject()
    }
    return .json(body, cache: "no-store")
  }

  /// `GET /openapi.json`: the API description.
  func contract() -> HTTPResponse {
    let isProtected = gate.authenticator != nil
    return .json(isProtected ? Contract.protected : Contract.open, cache: "no-cache")
  }
}

extension JSONWriter {
  /// Writes `"name":{"min":0,"max":55}`.
  fileprivate mutating func bounds(
    _ name: StaticString, _ range: ClosedRange<Int>, default value: Int? = nil
  ) {
    beginObject(name)
    member("min", range.lowerBound)
    member("max", range.upperBound)
    if let value { member("default", value) }
    endObject()
  }
}

extension RequestMetrics {
  /// The 99th percentile of latency, rounded up to the end of a bucket, in milliseconds; `nil`
  /// without requests or beyond the last bucket.
  fileprivate var p99Milliseconds: Int? {
    let rows = snapshot.map(\.latency)
    let total = rows.reduce(0) { $0 + $1.count }
    var count = 0
    for (index, end) in Histogram.bucketEnds.enumerated() {
      count += rows.reduce(0) { $0 + $1.buckets[index] }
      if total > 0, count * 100 >= total * 99 { return (end + 999) / 1000 }
    }
    return nil
  }
}
