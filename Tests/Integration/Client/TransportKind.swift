import LiveDeltaClient
import LiveDeltaCurl
import LiveDeltaURLSession

/// The transports that the same tests hold against a real server.
enum TransportKind: String, CaseIterable, Sendable {
  case curl, urlSession

  /// A client over a transport of its own.
  func client(
    _ server: TestServer, limits: DeltaClient.Limits = .init(),
    tokens: @escaping DeltaClient.TokenProvider = { _ in nil }
  ) -> DeltaClient {
    DeltaClient(server.address, transport: transport, limits: limits, tokens: tokens)
  }

  /// A client of any address.
  func client(at address: ServerAddress, token: String? = nil) -> DeltaClient {
    DeltaClient(address, transport: transport, tokens: { _ in token })
  }

  private var transport: any DeltaTransport {
    switch self {
    case .curl: CurlTransport()
    case .urlSession: URLSessionTransport()
    }
  }
}
