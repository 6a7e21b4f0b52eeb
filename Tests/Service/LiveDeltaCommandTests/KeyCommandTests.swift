import Authentication
import Foundation
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing

/// `livedelta keys`, and `serve` with them.
@Suite(.timeLimit(.minutes(10))) struct KeyCommandTests {
  private let file = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())")
  private let collection = CollectionAddress(client: "u42", name: "inbox")

  @Test func `a key is made, added, listed and used, and its secret is in no file`() async throws {
    defer { try? FileManager.default.removeItem(at: file) }
    let made = try await Program.run(
      "keys", "new", "--scope", "write:u*/**", "--name", "a", "--keys", file.path)
    #expect(made.status == 0, "\(made.errors)")
    let secret = try #require(made.lines.first.map(String.init))
    #expect(made.lines.count == 1 && secret.hasPrefix("ld_"))
    let again = try await Program.run(
      "keys", "new", "--scope", "admin", "--name", "b", "--expires", "2099-01-01", "--keys",
      file.path, "--json")
    #expect(JSONTree(Array(again.output.utf8))["line"].string?.hasPrefix("b sha256:") == true)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(!text.contains(secret) && text.split(separator: "\n").count == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let list = try await Program.run("keys", "list", file.path)
    #expect(list.lines == ["a  write:u*/**", "b  admin  expires 2099-01-01T00:00:00Z"])

    let service = try await TestService("--keys", file.path)
    let address = try ServerAddress(service.address)
    let put = try await Program.run(
      "put", "examples/inbox-1.json", "--server", "\(address)", "-c", "u42/inbox",
      environment: ["LIVEDELTA_TOKEN": secret])
    #expect(put.status == 0, "\(put.errors)")
    let get = try await Program.run("get", "--server", "\(address)", "-c", "u42/inbox")
    #expect(get.status == 77)
    #expect(get.errors.contains("401 unauthenticated"))
    #expect(get.errors.contains("--token-file FILE, or LIVEDELTA_TOKEN"))
    let flag = try await Program.run(
      "get", "u42/inbox", "--server", "\(address)", "--token-file", "-", input: secret + "\n")
    #expect(flag.status == 0, "\(flag.errors)")

    // A new key counts when the file has it.
    let more = try await Program.run("keys", "new", "--scope", "read:u42", "--keys", file.path)
    let key = more.lines.first.map(String.init)
    let reader = DeltaClient(address, transport: CurlTransport()) { _ in key }
    try await until { (try? await reader.snapshot(of: collection)) != nil }
    await service.stop()
  }

  @Test(arguments: [
    ["--scope", "delete:u42"], ["--scope", "read:u42", "--expires", "soon"],
    ["--scope", "read:u42", "--name", "a b"], [],
  ])
  func `a key that would not be taken is not made`(_ arguments: [String]) async throws {
    let outcome = try await Program.run(["keys", "new", "--keys", file.path] + arguments)
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a secret from elsewhere is hashed, a short one is not taken`() async throws {
    let outcome = try await Program.run("keys", "hash", input: "secretsecretsecretsecret")
    #expect(outcome.output.hasPrefix("sha256:"))
    let short = try await Program.run("keys", "hash", input: "secret")
    #expect(short.status == 65)
    #expect(!short.errors.contains("secret |"))
  }

  @Test func `without keys only this machine is served, unless it is said by name`() async throws {
    let elsewhere = ["--data", ":memory:", "--listen", "0.0.0.0:0", "--ops", "127.0.0.1:0"]
    for arguments in [
      elsewhere, ["--data", ":memory:", "--listen", "127.0.0.1:0", "--ops", "0.0.0.0:0"],
      ["--data", ":memory:", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--auth", "keys"],
      elsewhere + ["--auth", "keys"],
    ] {
      let outcome = try await Program.run(["serve"] + arguments)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("livedelta keys new --scope"), "\(outcome.errors)")
    }
    let open = try await TestService("--listen", "0.0.0.0:0", "--auth", "none")
    #expect(open.listening.count == 2)
    await open.stop()
    try Data("a \(KeyDigest(of: "secret".utf8)) write:**\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let closed = try await TestService("--listen", "0.0.0.0:0", "--keys", file.path)
    #expect(try await closed.client().request("GET", "/v1").status == 401)
    await closed.stop()
  }

  @Test
  func `a keys file with a mistake is told with its line, and nothing is served`() async throws {
    try Data("# keys\na sha256:12 admin\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let outcome = try await Program.run("serve", "--data", ":memory:", "--keys", file.path)
    #expect(outcome.status == 78)
    #expect(outcome.errors.contains("\(file.path): line 2: "))
  }

}
