import HTTP1
import SocketServer
import Testing

/// Another service on this machine, whose answers a test makes.
enum TestBackend {
  /// Runs it for the time of a test, which gets its address, `127.0.0.1:PORT`.
  static func run(
    _ handler: @escaping Handler, _ body: (String) async throws -> Void
  ) async throws {
    let listener = Listener(address: .tcp(host: "127.0.0.1", port: 0), handler: handler)
    let server = ConnectionServer(ServerConfiguration(listeners: [listener]))
    let address = try #require(try server.start().first)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body("\(address)"))
    } catch {
      result = .failure(error)
    }
    await server.shutdown(within: .zero)
    try result.get()
  }
}
