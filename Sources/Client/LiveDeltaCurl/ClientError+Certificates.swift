import CCurl
public import LiveDeltaClient

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
