import DeltaEngine
import Foundation
import LiveCollections

struct Song: UniquelyIdentifiable, Sendable {
  var uniqueID: String
  var title = ""

  /// What a cell shows of it.
  var text: String { uniqueID + title }
}

func songs(_ ids: String) -> [Song] { ids.map { Song(uniqueID: String($0)) } }

struct Album: UniquelyIdentifiableSection, Sendable {
  var uniqueID: String
  var title = ""
  var items: [Song]
}

func text(_ albums: [Album]) -> [[String]] { albums.map { $0.items.map(\.text) } }

/// Counts what is not as expected.
@MainActor final class Verdict {
  private var failures = 0

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    if found == expected { return }
    failures += 1
    print("line \(line): expected \(expected), found \(found)")
  }

  /// Ends the program.
  func finish(_ what: String) -> Never {
    print(failures == 0 ? "\(what): as they should" : "\(what): \(failures) failures")
    exit(failures == 0 ? 0 : 1)
  }
}

/// Random lists, the same at each run.
struct RandomAlbums: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// Some of twelve songs, some of them with another title.
  mutating func songs() -> [Song] {
    let ids = "ABCDEFGHIJKL".shuffled(using: &self).prefix(Int.random(in: 0...12, using: &self))
    return ids.map {
      Song(uniqueID: String($0), title: ["", "1"].randomElement(using: &self) ?? "")
    }
  }

  /// The songs on some of four albums.
  mutating func albums() -> [Album] {
    let ids = "wxyz".shuffled(using: &self).prefix(Int.random(in: 1...4, using: &self))
    var albums = ids.map { Album(uniqueID: String($0), items: []) }
    for song in songs() {
      albums[Int.random(in: albums.indices, using: &self)].items.append(song)
    }
    return albums
  }
}
