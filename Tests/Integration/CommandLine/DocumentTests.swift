import Foundation
import LiveDeltaClient
import SnapshotJSON
import Testing

/// The commands of the documents run as they stand, and answer what the documents say.
@Suite(.timeLimit(.minutes(10))) struct DocumentTests {
  private static let documents = [
    "README.md", "docs/protocol.md", "docs/command-line.md", "docs/guides/reader.md",
    "docs/guides/backend.md", "docs/guides/existing-backend.md",
  ]

  /// The documents whose commands a newcomer pastes one after the other.
  private static let pasted = ["README.md", "docs/command-line.md"]

  @Test(arguments: documents)
  func `every example of a document runs and answers as it says`(document: String) async throws {
    let files = try TemporaryFiles()
    defer { withExtendedLifetime(files) {} }
    let service = try await RunningService("--data", files.path + "/data")
    let server = try #require(service.listening.first)
    var setup = document == "README.md" ? try Self.pathOfReaders() : ""
    if document.hasPrefix("docs/guides/") {
      try NamedBlock.write(blocksOf: document, for: server, to: files)
      setup = "cd '\(files.path)'\n"
    }
    var tokens = TokenMap()
    let examples = try Example.all(in: document)
    #expect(!examples.isEmpty)
    for example in examples where !example.needsNode || Program.hasNode {
      // What a newcomer pastes must work as it stands, versions of other runs and all.
      #expect(
        !Self.pasted.contains(document) || tokens.translated(example.command) == example.command)
      let command = tokens.translated(example.command)
        .replacingOccurrences(of: "127.0.0.1:8080", with: server)
      let outcome = try await Program.shell(
        setup + command, environment: ["LIVEDELTA_SERVER": server])
      #expect(outcome.status == 0, "\(command)\n\(outcome.errors)")
      tokens.learn(example.answer, outcome.output)
      let expected = tokens.translated(example.answer)
      if example.isJSON {
        #expect(try canonical(outcome.output) == canonical(expected), "\(command)")
      } else {
        #expect(outcome.output.trimming == expected.trimming, "\(command)")
      }
    }
    await service.stop()
  }

  @Test func `the README names both commands, and they can be run`() throws {
    let readme = try String(contentsOf: Program.root.appending(path: "README.md"), encoding: .utf8)
    for script in ["scripts/run", "scripts/test"] {
      #expect(readme.contains(script))
      let path = Program.root.appending(path: script).path
      #expect(FileManager.default.isExecutableFile(atPath: path))
    }
  }

  /// The line of the README that puts the program on the path, for the program that is tested.
  private static func pathOfReaders() throws -> String {
    let readme = try String(contentsOf: Program.root.appending(path: "README.md"), encoding: .utf8)
    let line = try #require(
      readme.split(separator: "\n").first { $0.hasPrefix("export PATH=") }, "no export PATH=")
    #expect(line.contains("$PWD/.build/release:"))
    return line.replacing("$PWD/.build/release", with: Program.products.path) + "\n"
  }

  @Test func `every file that a document names is there`() throws {
    for document in ["README.md", "docs/command-line.md"] {
      let file = Program.root.appending(path: document)
      let text = try String(contentsOf: file, encoding: .utf8)
      for link in text.matches(of: /\]\(([^)#:]+)\)/) {
        let target = URL(filePath: String(link.1), relativeTo: file)
        #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(link.1)")
      }
      let names = /[\s`(]((?:examples|scripts|docs|config)\/[A-Za-z0-9_\/.\-]*[A-Za-z0-9])/
      for name in text.matches(of: names) {
        let path = Program.root.appending(path: String(name.1)).path
        #expect(FileManager.default.fileExists(atPath: path), "\(document): \(name.1)")
      }
    }
  }

  @Test func `documents and defaults are what the program says of itself`() async throws {
    let program = Program.products.appending(path: "livedelta").path
    let outcome = try await Program.shell("scripts/manual --check \(program)")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func canonical(_ text: String) throws -> [UInt8] {
    try JSONReader().read(Array(text.utf8)).root.minified()
  }
}

/// What the guide for backends gives to paste writes to a real service.
@Suite(.timeLimit(.minutes(10))) struct GuideTests {
  @Test func `a backend's lines in Swift put the list`() async throws {
    let files = try TemporaryFiles()
    let service = try await RunningService()
    let server = try #require(service.listening.first)
    let file = try files.add(
      try block("swift").replacingOccurrences(of: "127.0.0.1:8080", with: server),
      named: "put.swift")
    let program = files.path + "/put"
    let outcome = try await Program.shell(
      "swiftc -parse-as-library '\(file)' -o '\(program)' && '\(program)'")
    #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
    let shown = try await service.client().snapshot(
      of: CollectionAddress(client: "u42", name: "inbox"))
    let example = try Data(contentsOf: Program.root.appending(path: "examples/inbox-1.json"))
    let wanted = try WireSnapshot(body: Array(example))
    #expect(shown.value.sections == wanted.sections)
    await service.stop()
  }

  private func block(_ language: String) throws -> String {
    let guide = try String(
      contentsOf: Program.root.appending(path: "docs/guides/backend.md"), encoding: .utf8)
    let blocks = guide.matches(of: /```(\w+)\n(?s:(.*?))```/).filter { $0.1 == language }
    #expect(blocks.count == 1)
    return String(try #require(blocks.first).2)
  }
}

/// The blocks of a document: the language of each, and its text.
private func blocks(of document: String) throws -> [(kind: Substring, text: String)] {
  let text = try String(contentsOf: Program.root.appending(path: document), encoding: .utf8)
  return text.matches(of: /```(\w+)\n(?s:(.*?))```/).map { (kind: $0.1, text: String($0.2)) }
}

/// A block of a guide whose first line names the file that a reader puts it into: `# reader.py`.
private enum NamedBlock {
  /// Writes the files of a guide to a folder from which its commands can be run.
  static func write(blocksOf guide: String, for server: String, to files: TemporaryFiles) throws {
    for block in try blocks(of: guide) {
      guard let name = block.text.firstMatch(of: /^(?:#|\/\/) ([a-z]+\.[a-z]+)\n/)?.output.1
      else { continue }
      let text = block.text.replacingOccurrences(of: "127.0.0.1:8080", with: server)
      _ = try files.add(text, named: String(name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: files.path + "/examples",
      withDestinationPath: Program.root.appending(path: "examples").path)
  }
}

/// A block of shell in a document, and the block after it: what it answers.
private struct Example {
  var command: String
  var answer: String
  var isJSON: Bool

  var needsNode: Bool { command.contains("node ") }

  static func all(in document: String) throws -> [Example] {
    let all = try blocks(of: document)
    return all.indices.dropLast().filter { all[$0].kind == "sh" }.map { index in
      Example(
        command: all[index].text, answer: all[index + 1].text,
        isJSON: all[index + 1].kind == "json")
    }
  }
}

/// Which real version stands for which version of a document.
private struct TokenMap {
  private var real: [String: String] = [:]

  /// Pairs the tokens of what was expected with those of what came.
  mutating func learn(_ expected: String, _ actual: String) {
    for (expected, actual) in zip(Self.tokens(expected), Self.tokens(actual)) {
      real[expected] = actual
    }
  }

  func translated(_ text: String) -> String {
    real.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
  }

  private static func tokens(_ text: String) -> [String] {
    text.matches(of: /[a-z0-9]{8}\.[0-9]+\.[A-Za-z0-9_-]{16}/).map { String($0.output) }
  }
}

extension String {
  fileprivate var trimming: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
