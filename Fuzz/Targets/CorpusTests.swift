import Foundation
import Testing

/// The inputs that were kept; `Fuzz/run` looks for others.
@Suite(.timeLimit(.minutes(10))) struct CorpusTests {
  static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "corpus")

  @Test(arguments: fuzzTargets.keys.sorted())
  func `no kept input breaks a rule`(name: String) async throws {
    let folder = Self.corpora.appending(path: name)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    // In a process of its own, which a broken rule ends.
    await #expect(processExitsWith: .success) { [name = name as String] in
      let target = try #require(fuzzTargets[name])
      let folder = CorpusTests.corpora.appending(path: name)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        FileHandle.standardError.write(Data("\(name) \(file)\n".utf8))
        target([UInt8](try Data(contentsOf: folder.appending(path: file))))
      }
    }
  }
}
