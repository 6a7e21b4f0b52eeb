import ArgumentParser
import Authentication
import SnapshotJSON

struct KeysHash: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Prints the digest of a secret for a keys file.",
    discussion: """
      The secret is read from standard input. It must be random, with at least 128 bits.

        openssl rand -hex 32 | tee secret | livedelta keys hash
      """)

  @OptionGroup(title: commonOptions) var output: OutputOptions

  func run() async throws {
    let secret = try InputFile.read("-").filter { !$0.isLineEnd }
    guard secret.count >= 22, secret.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw Failure.data("a secret has at least 22 bytes, letters, digits and marks")
    }
    let digest = KeyDigest(of: secret).description
    output.show(digest) { $0.member("digest", digest) }
  }
}

extension UInt8 {
  fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
