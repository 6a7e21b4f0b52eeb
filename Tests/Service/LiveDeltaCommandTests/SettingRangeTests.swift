import Foundation
import LiveDeltaClient
import TestSupport
import Testing

@testable import livedelta

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
    let numbers = Setting.all.filter { $0.range != nil }
    #expect(numbers.count > 30)
    for (index, setting) in numbers.enumerated()
    where index % 4 == quarter && !Self.together.contains(setting.name) {
      let range = try #require(setting.range)
      for value in [range.lowerBound, range.upperBound] { try await tryOut(setting.name, value) }
    }
  }

  private func tryOut(_ name: String, _ value: Int) async throws {
    var environment = [Setting.variable(of: name): "\(value)"]
    // A body must have room.
    if name == "limits.bodyBytesMax" {
      environment[Setting.variable(of: "limits.bufferedBytesMax")] = "1099511627776"
    }
    if name == "limits.bufferedBytesMax" {
      environment[Setting.variable(of: "limits.bodyBytesMax")] = "65536"
    }
    let service = try await TestService(environment: environment)
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
    await service.stop()
  }
}
