import ArgumentParser

/// The option that names the certificates to trust.
struct TrustOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The certificates of the authorities to trust, in PEM format, in place of the system's. \
      (environment: LIVEDELTA_CA_FILE, SSL_CERT_FILE)
      """, valueName: "file"), completion: .file())
  var cacert: String?

  /// Returns the file that the option, the settings or the environment names; nil for the system's certificates.
  func file(_ settings: Settings) throws -> String? {
    var settings = settings
    settings.caFile = cacert ?? settings.caFile
    return try settings.trustedFile()
  }
}
