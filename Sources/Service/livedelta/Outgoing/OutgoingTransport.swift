import LiveDeltaClient
import LiveDeltaCurl
import Logging
import Synchronization

/// What all requests of the service to others have in common.
struct Outgoing: Sendable {
  /// The file with the certificates to trust; nil for those of the environment or the system.
  var caFile: String?
  var logger: Logger?

  /// Creates a transport to the service that a setting names.
  func transport(_ name: String) -> any DeltaTransport { OutgoingTransport(self, name) }
}

/// A transport that logs once that a certificate is not trusted, until it is again: whoever sends may only count that
/// there was no answer.
private final class OutgoingTransport: DeltaTransport {
  private let transport: CurlTransport
  private let name: String
  private let logger: Logger?
  private let isReported = Mutex(false)

  init(_ outgoing: Outgoing, _ name: String) {
    transport = CurlTransport(caFile: outgoing.caFile)
    (self.name, logger) = (name, outgoing.logger)
  }

  func send(_ request: ClientRequest) async throws(ClientError) -> ClientResponse {
    do throws(ClientError) {
      let answer = try await transport.send(request)
      isReported.withLock { $0 = false }
      return answer
    } catch {
      let isNews =
        error.isAboutCertificate
        && isReported.withLock { isReported in
          defer { isReported = true }
          return !isReported
        }
      if isNews {
        logger?.error(
          "the certificate of what \(name) names is not trusted; caFile names those that are",
          metadata: ["error": "\(error)"])
      }
      throw error
    }
  }
}
