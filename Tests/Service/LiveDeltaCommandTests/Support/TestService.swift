import ArgumentParser
import CollectionService
import DeltaHTTP
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import SocketServer

@testable import livedelta

/// `livedelta serve` in this process, on free ports, in memory unless told otherwise.
struct TestService: Sendable {
  private let service: RunningService

  /// Starts it, with the options and variables of the program.
  init(_ arguments: String..., environment: [String: String] = [:]) async throws {
    try await self.init(arguments, environment: environment)
  }

  /// Starts it, with the options and variables of the program.
  init(_ arguments: [String], environment: [String: String] = [:]) async throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    var surroundings = Surroundings()
    surroundings.environment = environment
    (surroundings.output, surroundings.errors) = (null, null)
    let data = arguments.contains("--data") ? [] : ["--data", ":memory:"]
    service = try await Surroundings.$current.withValue(surroundings) {
      let command = try Serve.parse(
        ["--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"] + arguments + data)
      return try await RunningService(command.settings())
    }
  }

  /// Where it listens: `HOST:PORT`, then what else was asked for.
  var listening: [String] { service.bound.public.map(\.description) }

  /// Where its operations listener is.
  var operations: String { service.bound.operations.first?.description ?? "" }

  /// Where it listens first.
  var address: String { listening[0] }

  /// A client of the first listener.
  func client() throws -> DeltaClient {
    DeltaClient(try service.address, transport: CurlTransport())
  }

  /// How many readers wait.
  var parkedCount: Int { service.server.service.counters.parked.value }

  /// Stops it.
  func stop() async { await service.stop() }
}
