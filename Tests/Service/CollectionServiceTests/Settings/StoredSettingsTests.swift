import DeltaEngine
import SnapshotJSON
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct StoredSettingsTests {
  @Test func `stored settings that are over a limit are cut to it`() throws {
    let list = SettingsTests.list(70, #"{"path":"/a"}"#)
    let text =
      #"{"retention":{"versions":9223372036854775807,"seconds":9223372036854775807,"bytes":9223372036854775807},"dataCountAnimationThreshold":9223372036854775807,"sortBy":\#(list)}"#
    let stored = try CollectionSettings(stored: try JSONReader().readStrictly(Array(text.utf8)))
    #expect(stored.retention?.seconds == .max)
    let settings = stored.clamped(to: SettingsLimits())
    #expect(settings.retention?.seconds == 315_360_000)
    #expect(settings.retention?.versionsMax == 256)
    #expect(settings.retention?.bytesMin == 64 << 20)
    #expect(settings.dataCountAnimationThreshold == 1_000_000)
    #expect(settings.sortRules.count == 64)
    #expect(settings.clamped(to: SettingsLimits()) == settings)
  }

  @Test func `a stored pointer to whole items, which changes nothing, is left out`() throws {
    let text = #"{"equality":{"ignore":["","/at"]}}"#
    let stored = try CollectionSettings(stored: try JSONReader().readStrictly(Array(text.utf8)))
    #expect(stored.clamped(to: SettingsLimits()).equalityIgnored.map(\.description) == ["/at"])
  }

  @Test(arguments: [Int64.min, -1, 0, 1_750_000_000, .max])
  func `whatever the dates and the retention, history is trimmed`(date: Int64) throws {
    let record = VersionRecord(
      seq: 1, digest: ContentDigest(high: 0, low: 0), meta: nil, date: date)
    for seconds in [0, 604_800, Int64.max] {
      for now in [Int64.min, 0, 1_750_000_000, .max] {
        var history = History(head: record)
        var next = record
        next.seq = 2
        let same = try VersionComparison(.empty, from: [], to: [])
        history.append(next, back: StructurePatch(to: [], same))
        var retention = Retention()
        retention.seconds = seconds
        history.trim(retention, contentBytes: 0, now: now)
        #expect(history.head.seq == 2)
        if date >= now { #expect(history.count == 2) }
      }
    }
  }

  @Test func `a stored version without a number that a token can have is damaged`() throws {
    for seq in [0, -1, Int.min, Int.max] {
      var writer = StoredBytesWriter(kind: 1, capacity: 64)
      writer.record(
        VersionRecord(seq: seq, digest: ContentDigest(high: 0, low: 0), meta: nil, date: .max))
      var reader = try StoredBytesReader(writer.finish(), kind: 1)
      #expect(throws: DamagedData.self) { try reader.record() }
    }
  }
}
