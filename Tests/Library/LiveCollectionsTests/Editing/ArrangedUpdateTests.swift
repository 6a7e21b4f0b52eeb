import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Arranged items that a collection shows.
@MainActor @Suite struct ArrangedUpdateTests {
  /// Counts how often two are compared.
  private struct Song: UniquelyIdentifiable, Sendable {
    var uniqueID: Int
    var album: Int
    var title: Int
    let comparisons: Locked<Int>

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.comparisons.withLock { $0 += 1 }
      return (lhs.uniqueID, lhs.album, lhs.title) == (rhs.uniqueID, rhs.album, rhs.title)
    }
  }

  private struct Album: UniquelyIdentifiableSection, Sendable {
    var uniqueID: Int
    var items: [Song]
    var header: Int { uniqueID }
  }

  private let queues = ManualQueues()
  private let comparisons = Locked(0)
  private var list: ArrangedItems<Album> {
    ArrangedItems(
      sections: SectionGrouping(by: \.album) { Album(uniqueID: $0, items: $1) },
      order: ItemOrder(\.album).then(\.title))
  }

  private func songs(_ count: Int, title: Int = 0) -> [Song] {
    (0..<count).map {
      Song(uniqueID: $0, album: $0 % 5, title: title, comparisons: comparisons)
    }
  }

  @Test func `what a collection shows of arranged items is compared once`() throws {
    let data = CollectionSectionData<Album>(queues: queues.queues)
    var songs = list
    try data.update(&songs) { list throws(ArrangingError) in try list.setItems(self.songs(100)) }
    queues.runAll()
    let before = songs.sections
    _ = comparisons.exchange(0)
    try data.update(&songs) { list throws(ArrangingError) in
      try list.setItems(self.songs(100, title: 1))
      try list.resort(by: ItemOrder(\.album, descending: true).then(\.title))
    }
    queues.runAll()
    let count = comparisons.exchange(0)
    _ = try Delta(from: before, to: songs.sections)
    #expect(count >= 100 && count == comparisons.exchange(0))
    #expect(data.sections.map(\.uniqueID) == [4, 3, 2, 1, 0])
    // By itself it compares as well.
    #expect(try !songs.update(delete: [0]).isEmpty)
  }

  @Test func `a change that throws changes nothing`() throws {
    let data = CollectionSectionData<Album>(queues: queues.queues)
    var songs = list
    #expect(throws: ArrangingError.duplicateItem("0")) {
      try data.update(&songs) { list throws(ArrangingError) in
        try list.setItems(self.songs(3))
        try list.setItems(self.songs(1) + self.songs(1))
      }
    }
    queues.runAll()
    #expect(songs.items.isEmpty && data.isEmpty)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `random changes are shown legally, in the order of a slow model`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let data = CollectionSectionData<Album>(queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    queues.runAll()
    var (songs, model, descends) = (list, [Int: Song](), false)
    for _ in 0..<40 {
      let new = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        Song(
          uniqueID: Int.random(in: 0..<12, using: &generator),
          album: Int.random(in: 0..<4, using: &generator),
          title: Int.random(in: 0..<9, using: &generator), comparisons: comparisons)
      }
      let gone = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        Int.random(in: 0..<12, using: &generator)
      }
      if Int.random(in: 0..<4, using: &generator) == 0 { descends.toggle() }
      try data.update(&songs, animated: Bool.random(using: &generator)) {
        list throws(ArrangingError) in
        try list.update(upsert: new, delete: gone)
        try list.resort(by: ItemOrder(\.album, descending: descends).then(\.title))
      }
      if Bool.random(using: &generator) { queues.runAll() }
      for song in new { model[song.uniqueID] = song }
      for id in gone { model[id] = nil }
    }
    queues.runAll()
    let sign = descends ? -1 : 1
    let expected = model.values.sorted {
      ($0.album * sign, $0.title, $0.uniqueID) < ($1.album * sign, $1.title, $1.uniqueID)
    }
    #expect(data.items.map(\.uniqueID) == expected.map(\.uniqueID), "seed \(seed)")
    #expect(data.items.map(\.title) == expected.map(\.title), "seed \(seed)")
    #expect(view.faults == [], "seed \(seed)")
  }
}
