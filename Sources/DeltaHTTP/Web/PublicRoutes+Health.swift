import CollectionService
import HTTP1
import Synchronization
import VersionedCollections

extension PublicRoutes {
  /// `GET /ui/health`: the most important metrics for an operator.
  func health() -> HTTPResponse {
    service.recountCollections()
    let counters = service.counters
    let document: JSONLiteral = [
      "ready": .flag(service.isReady),
      "waiting": .number(counters.parked.value),
      "streams": .number(requestLog.metrics.streams.load(ordering: .relaxed)),
      "collections": .number(counters.collections.value),
      "p99Milliseconds": requestLog.metrics.p99Milliseconds.map(JSONLiteral.number) ?? .null,
      "refusedDeltas": .number(counters.refusedDeltas.value),
      "resets": [
        "history-compacted": .number(counters.compactedResets.value),
        "diverged": .number(counters.divergedResets.value),
        "lineage-changed": .number(counters.lineageResets.value),
        "delta-too-large": .number(counters.tooLargeResets.value),
      ],
    ]
    return .json(document.bytes, cache: "no-store")
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
