import ArgumentParser
import Glibc

/// The option for the credential.
///
/// It is not a setting, so no configuration file contains it and `--show-config` does not show it.
struct CredentialOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file with the secret or the token that the service knows you by, - for standard input. \
      (environment: LIVEDELTA_TOKEN, the token itself)
      """, valueName: "file"))
  var tokenFile: String?

  /// Returns the token, or `nil` if there is none.
  func token() throws -> String? {
    if let tokenFile { return try Self.token(in: tokenFile) }
    return try Self.checked(getenv(SettingsEnvironment.token).map { String(cString: $0) })
  }

  /// Returns the token in a file, - for standard input.
  static func token(in file: String) throws -> String? {
    let text = String(decoding: try InputFile.read(file), as: UTF8.self)
    return try checked(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  private static func checked(_ token: String?) throws -> String? {
    guard let token, !token.isEmpty else { return nil }
    guard token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw Failure.configuration("the token has a byte that none can have")
    }
    return token
  }
}
