import Authentication
import CollectionService
import Synchronization
import VersionedCollections

extension MetricsText {
  mutating func add(_ counters: ServiceCounters) {
    addCollections(counters)
    addWrites(counters)
    addDeltas(counters)
    addCache(counters)
  }

  private mutating func addCollections(_ counters: ServiceCounters) {
    gauge(
      "collections", "Collections in the store; in a database, as last counted for a scrape.",
      counters.collections.value)
    gauge("resident_collections", "Collections in memory.", counters.residentCollections.value)
    gauge(
      "resident_bytes", "Approximate memory used by resident collections.",
      counters.residentBytes.value)
    counter(
      "collection_loads_total", "Collections loaded from the store.", counters.loads.value)
    counter(
      "unused_removals_total", "Collections removed because nobody used them.",
      counters.unusedRemovals.value)
    counter(
      "collection_evictions_total", "Collections evicted from memory.",
      counters.collectionEvictions.value)
    counter(
      "damaged_loads_total", "Loads that found a damaged collection.",
      counters.damagedLoads.value)
  }

  private mutating func addWrites(_ counters: ServiceCounters) {
    counter("versions_total", "Versions committed.", counters.versions.value)
    add(
      "writes_without_version_total", "counter", "Writes that created no version, by reason.",
      by: "reason",
      [
        "unchanged": counters.unchangedWrites.value, "refused": counters.refusedWrites.value,
      ])
    counter(
      "known_items_total", "Snapshot items recognized as unchanged without being parsed.",
      counters.knownItems.value)
    counter(
      "failed_commits_total", "Writes that the store failed to commit.",
      counters.failedCommits.value)
    histogram(
      "store_commit_duration_seconds", "Time from passing a write to the store to its completion.",
      counters.commitTimes.counts)
  }

  private mutating func addDeltas(_ counters: ServiceCounters) {
    counter("deltas_total", "Deltas computed.", counters.deltas.value)
    counter(
      "delta_refusals_total", "Deltas that the simulator refused: faults.",
      counters.refusedDeltas.value)
    histogram(
      "delta_duration_seconds", "Time to compute and to check a delta.",
      counters.deltaTimes.counts)
    counter("delta_steps_total", "Steps of deltas computed.", counters.deltaSteps.value)
    counter("delta_moves_total", "Moves in deltas computed.", counters.deltaMoves.value)
    counter(
      "delta_changes_total", "Changes in deltas computed, moves included.",
      counters.deltaChanges.value)
    counter(
      "delta_saved_bytes_total", "Bytes by which deltas were shorter than the contents.",
      counters.savedBytes.value)
    counter("encodings_total", "Answers encoded.", counters.encodings.value)
    add(
      "resets_total", "counter", "Snapshots sent in place of a delta, by reason.", by: "reason",
      [
        "delta-too-large": counters.tooLargeResets.value,
        "history-compacted": counters.compactedResets.value,
        "diverged": counters.divergedResets.value,
        "lineage-changed": counters.lineageResets.value,
        "view-changed": counters.viewResets.value,
      ])
    histogram(
      "wake_duration_seconds",
      "Time from the commit of a change to the hand-over of a waiting reader's answer.",
      counters.wakeTimes.counts)
  }

  /// Adds how many answers were held back.
  mutating func add(_ viewChanges: ViewChanges) {
    counter(
      "view_changes_held_total",
      "Answers held for 5 s because the restriction of their reader changes all the time.",
      viewChanges.heldCount.load(ordering: .relaxed))
  }

  private mutating func addCache(_ counters: ServiceCounters) {
    add(
      "cache_lookups_total", "counter", "Lookups in the cache of answers, by result.",
      by: "result",
      ["hit": counters.cacheHits.value, "miss": counters.cacheMisses.value])
    counter(
      "cache_evictions_total", "Versions whose answers were evicted for lack of room.",
      counters.cacheEvictions.value)
  }

  mutating func addWaiting(
    _ counters: ServiceCounters, oldest: Duration, _ metrics: RequestMetrics
  ) {
    let streams = metrics.streams.load(ordering: .relaxed)
    let parked = counters.parked.value
    gauge("parked_requests", "Readers waiting for a change, streams included.", parked)
    gauge("streams", "Streams of events that are open.", streams)
    gauge(
      "long_polls", "Requests that wait for a change.", max(0, parked - streams))
    gauge(
      "oldest_wait_seconds", "How long the oldest of the requests that wait has waited.",
      Self.seconds(oldest.microseconds))
  }

  /// Adds what the store counts; zero for what it does not know.
  mutating func add(_ statistics: StoreStatistics?) {
    let statistics = statistics ?? StoreStatistics()
    counter(
      "store_groups_total", "Transactions written, each with one sync.", statistics.groups)
    counter("store_writes_total", "Writes in them.", statistics.writes)
    gauge(
      "store_queued_writes", "Writes that wait for their transaction.", statistics.queuedWrites)
    gauge("store_log_bytes", "Size of the write-ahead log.", statistics.logBytes ?? 0)
    gauge("store_bytes", "Size of the database without its log.", statistics.bytes ?? 0)
    counter("store_checkpoints_total", "Checkpoints of the log.", statistics.checkpoints)
  }

  /// Adds what is counted of the questions to the backend; zeros without one.
  mutating func add(_ forward: ForwardStatistics) {
    add(
      "forward_questions", "gauge", "Questions to the backend about callers, by state.",
      by: "state", ["under-way": forward.underWay, "waiting": forward.waiting])
    add(
      "forward_answers_total", "counter", "Questions to the backend, by its answer.", by: "answer",
      ["yes": forward.granted, "no": forward.denied, "none": forward.unanswered])
    counter(
      "forward_refusals_total",
      "Requests refused because too many questions to the backend waited.",
      forward.refused)
    counter(
      "forward_unverified_streams_total",
      "Streams ended because the backend did not answer about them for too long.",
      forward.unverified)
  }

  /// Adds whether notices of other replicas arrive; 1 until it is known that they do not.
  mutating func add(noticesArrive: Bool?) {
    gauge(
      "notices_arrive",
      "Whether notices of other replicas arrive; 0 behind a pooler that passes none on.",
      noticesArrive == false ? 0 : 1)
  }

  /// Adds how late and long the feed of changes of a shared store is; zero without one.
  mutating func add(_ feed: FeedState?) {
    gauge(
      "feed_unsettled_seconds", "Age of the oldest change that no reader of the feed can get yet.",
      feed?.unsettledSeconds ?? 0)
    gauge(
      "feed_oldest_seconds", "Age of the oldest change that the database keeps.",
      feed?.oldestSeconds ?? 0)
    gauge("feed_rows", "The most changes that the database keeps.", feed?.rows ?? 0)
  }
}
