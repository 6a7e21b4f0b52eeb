import CCurl
import DeltaEngine
public import LiveDeltaClient

/// A transport over libcurl.
///
/// Requests run side by side, each on a connection of its own, which the next one uses again.
public final class CurlTransport: DeltaTransport {
  private static let idleConnectionsMax = 4
  private let idle = Locked<[CurlConnection]>([])
  private let caFile: String?

  /// Creates a transport, which connects with the first request.
  ///
  /// - Parameter caFile: The file with the certificates of the authorities to trust, in PEM format, in place of the
  ///   system's; nil for the system's.
  public init(caFile: String? = nil) {
    self.caFile = caFile
  }

  /// Sends a request.
  public func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
    let connection = idle.withLock { $0.popLast() } ?? CurlConnection(caFile: caFile)
    defer {
      idle.withLock { if $0.count < Self.idleConnectionsMax { $0.append(connection) } }
    }
    return try await connection.send(request)
  }
}

extension ClientError {
  /// Whether the certificate of the other side is not trusted, or the certificates to trust cannot be read.
  ///
  /// Nothing was sent, and a repetition fails in the same way.
  public var isAboutCertificate: Bool {
    guard case .transport(let code, _) = self else { return false }
    return [CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR]
      .contains { Int($0.rawValue) == code }
  }
}
