import ArgumentParser
import Authentication
import DeltaHTTP
import Glibc
import SnapshotJSON

struct KeysNew: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Makes a key, and prints its secret.",
    discussion: """
      The secret is printed once and stored nowhere. With --keys, the key is added to the file; else its \
      line is printed after the secret.

        livedelta keys new --scope 'write:u*/**' --scope changes --keys keys
        livedelta keys new --name monitor --scope admin --expires 2027-01-31
      """)

  @Option(help: "What the key allows; may be repeated.")
  var scope: [String]

  @Option(help: "The name of the key in the file. (default: key- and six digits)")
  var name: String?

  @Option(help: "When it expires, as 2027-01-31 or 2027-01-31T12:00:00Z. (default: never)")
  var expires: String?

  @Option(help: ArgumentHelp("The file to add the key to.", valueName: "file"))
  var keys: String?

  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let secret = KeySecret.make()
    let key = try key(of: secret)
    if let keys { try Self.add(key, to: keys) }
    if output.json {
      output.printer.json(
        JSONWriter.object {
          $0.member("name", key.name)
          $0.member("secret", secret)
          $0.member("line", key.line)
        })
    } else {
      // Not truncated to the width of the terminal.
      Terminal.line(secret)
      if keys == nil { Terminal.line(key.line) }
    }
  }

  private func key(of secret: String) throws -> AccessKey {
    var seconds: Int64?
    if let expires {
      seconds = ExpiryDate.seconds(expires)
      guard seconds != nil else {
        throw Failure(
          .usage, "\"\(expires)\" is not a date, such as 2027-01-31 or 2027-01-31T12:00:00Z")
      }
    }
    do {
      return try AccessKey(
        name: name ?? "key-\(Int.random(in: 100_000...999_999))",
        credential: .secret(KeyDigest(of: secret.utf8)), scopes: try scope.map { try Scope($0) },
        expires: seconds)
    } catch {
      throw Failure(.usage, "\(error)")
    }
  }

  /// Adds a line to a file, creating it with access for the owner only.
  ///
  /// The file is left unchanged if it would not be a valid keys file.
  private static func add(_ key: AccessKey, to path: String) throws {
    let isThere = access(path, F_OK) == 0
    let text = try isThere ? String(decoding: InputFile.read(path), as: UTF8.self) : ""
    let line = (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + key.line + "\n"
    do {
      _ = try KeyList(text + line, viewFault: \.fault)
    } catch {
      throw Failure(error, in: path)
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw InputError(path: path, code: errno) }
    defer { close(descriptor) }
    guard write(descriptor, line, line.utf8.count) == line.utf8.count else {
      throw InputError(path: path, code: errno)
    }
  }
}
