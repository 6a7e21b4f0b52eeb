import ArgumentParser

/// The option for the credential.
///
/// It is not a setting, so no configuration file contains it and `--show-config` does not show it.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file with your key or token, - for standard input. (environment: LIVEDELTA_TOKEN, the token \
      itself)
      """, valueName: "file"))
  var tokenFile: String?

  /// Returns the token, or `nil` if there is none.
  func token() throws -> String? {
    if let tokenFile { return try Self.token(in: tokenFile) }
    return try Self.checked(Surroundings.current.environment[SettingSources.tokenVariable])
  }

  /// Returns the token in a file, - for standard input.
  static func token(in file: String) throws -> String? {
    let text = String(decoding: try InputFile.read(file), as: UTF8.self)
    return try checked(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  private static func checked(_ token: String?) throws -> String? {
    guard let token, !token.isEmpty else { return nil }
    guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw Failure.configuration("the token contains an invalid character")
    }
    return token
  }
}
