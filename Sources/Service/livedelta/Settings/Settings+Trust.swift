extension Settings {
  /// Returns the file with the certificates to trust; nil for those of the system.
  ///
  /// That of the environment is for all programs. Whether it can be read only matters to what asks over TLS, which is
  /// refused if it cannot be.
  func trustedFile() throws -> String? {
    guard !caFile.isEmpty else {
      let inherited = Surroundings.current.environment["SSL_CERT_FILE"] ?? ""
      return inherited.isEmpty ? nil : inherited
    }
    let text = String(decoding: try InputFile.read(caFile), as: UTF8.self)
    guard text.contains("-----BEGIN CERTIFICATE-----") else {
      throw Failure.configuration("\(caFile) has no certificate in PEM format")
    }
    return caFile
  }
}
