import Foundation
import LiveDeltaClient
import TestSupport
import Testing

/// The least and the most that each setting can be.
@Suite(.timeLimit(.minutes(10))) struct SettingRangeTests {
  /// Those that are held against others: the most that fits beside their defaults.
  private static let together = ["limits.headerBytesMax", "limits.targetBytesMax"]

  /// A full store, or no room, is an answer too.
  private static let fullStatuses = [503, 507]

  @Test(arguments: 0..<4)
  func `a service starts and takes requests with any setting at either end of its range`(
    quarter: Int
  ) async throws {
    let shown = JSONTree(Array(try await Program.run("serve", "--show-config").output.utf8))
    let names = shown.keys.flatMap { group in
      shown[group].int == nil
        ? shown[group].keys.filter { shown[group][$0].int != nil }.map { "\(group).\($0)" }
        : [group]
    }
    #expect(names.count > 40)
    for (index, name) in names.enumerated()
    where index % 4 == quarter && !Self.together.contains(name) {
      let range = try await range(of: name)
      for value in [range.lowerBound, range.upperBound] { try await tryOut(name, value) }
    }
  }

  /// What a setting may be, as the program says when it refuses a value.
  private func range(of name: String) async throws -> ClosedRange<Int> {
    let refused = try await Program.run("serve", environment: [variable(name): "-1"])
    let text = refused.errors.split(separator: "it is at least ").last.map(String.init) ?? ""
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(refused.status == 78 && numbers.count == 2, "\(name): \(refused.errors)")
    return numbers[0]...numbers[1]
  }

  private func tryOut(_ name: String, _ value: Int) async throws {
    var environment = [variable(name): "\(value)"]
    // A body must have room.
    if name == "limits.bodyBytesMax" {
      environment[variable("limits.bufferedBytesMax")] = "1099511627776"
    }
    if name == "limits.bufferedBytesMax" { environment[variable("limits.bodyBytesMax")] = "65536" }
    let service = try await RunningService(environment: environment)
    let client = try service.client()
    for _ in 0..<2 {
      let written = try? await client.request(
        "PUT", "/v1/clients/a/collections/b", fields: [.init("Content-Type", "application/json")],
        body: Array(#"[{"id":"1"},{"id":"2"}]"#.utf8))
      if let written {
        #expect(
          written.status < 500 || Self.fullStatuses.contains(written.status), "\(name) \(value)")
      }
      let read = try? await client.request("GET", "/v1/clients/a/collections/b/delta", fields: [])
      if let read { #expect(read.status < 500 || read.status == 503, "\(name) \(value)") }
    }
    service.send(SIGINT)
    service.send(SIGINT)
    let status = await service.end()
    #expect(status == 0, "\(name) \(value): ended with \(status)")
  }

  private func variable(_ name: String) -> String {
    let words = name.replacing(".", with: "_").reduce(into: "") { text, letter in
      if letter.isUppercase { text += "_" }
      text.append(letter)
    }
    return "LIVEDELTA_" + words.uppercased()
  }
}
