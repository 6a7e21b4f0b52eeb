import ArgumentParser
import CollectionService
import LiveDeltaClient
import SnapshotJSON
import VersionedCollections

/// `livedelta copy [CLIENT[/NAME]]`, and `livedelta copy --from DATA --to DATA`.
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copies collections from one service to another.",
    discussion: """
      One collection, what a client has, or all that the service of --server has, in the order of \
      their names. Content and settings become those of the collection of that name at the other \
      service; older versions are not copied, and what only the other has stays. Equal content \
      makes no new version, so that the same command can be run again at any time; --after goes on \
      where one ended. To copy a directory as it is: livedelta backup.

      With --from, all that a service keeps is copied from a directory to a database, or back, with \
      versions, their contents and idempotency keys, so that readers and writers go on where they were. \
      No service may write to either meanwhile. Cut off, the same command goes on.

        livedelta copy --to 10.0.0.7:8080
        livedelta copy u42 --to unix:/run/livedelta.sock
        livedelta copy u42/inbox --server 10.0.0.7:8080 --to 127.0.0.1:8080
        livedelta copy --from livedelta-data --to postgres://livedelta@db1/livedelta
      """)

  @Argument(
    help: "A client, or a collection as CLIENT/NAME; without it, all there are.",
    completion: .collections)
  var what: String?

  @Option(
    help: ArgumentHelp(
      "Where the other service listens, as --server; with --from, a directory or postgres://….",
      valueName: "address"))
  var to: String

  @Option(
    help: ArgumentHelp(
      "The directory or database, postgres://…, to copy all from.", valueName: "data"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "The file with the secret or the token that the other service knows you by.",
      valueName: "file"), completion: .file())
  var toTokenFile: String?

  @Option(
    help: ArgumentHelp(
      "Begin behind this collection, as CLIENT/NAME: the last that was copied.",
      valueName: "collection"),
    completion: .collections)
  var after: String?

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let from { return try await copyStore(from) }
    let scope = try CopyScope(what, after: after)
    // A service must not receive another's token.
    let target = try connection.client(
      at: to, token: toTokenFile.flatMap { try CredentialOptions.token(in: $0) })
    let bar = ProgressBar("copy to \(target.address)")
    defer { bar.finish() }
    try await connection.run { source in
      let collections = try await scope.collections(of: source)
      var last = after
      for (index, collection) in collections.enumerated() {
        do throws(CopyError) {
          let reply = try await source.copy(collection, to: target) { _ in
            bar.update(index, of: collections.count)
          }
          bar.finish()
          show(reply, of: collection)
        } catch {
          // The collection was deleted after it had been listed.
          guard error.isGone, scope.name == nil else {
            throw error.failure(collection, after: last)
          }
          continue
        }
        last = "\(collection)"
      }
    }
  }

  /// Copies all that is kept in one place to another.
  private func copyStore(_ from: String) async throws {
    guard what == nil, after == nil else {
      throw Failure(.usage, "--from copies all there is: leave out the collection and --after")
    }
    let transfer = DataTransfer(from: from, to: to, settings: try connection.file.settings())
    let report = try await transfer.run()
    guard output.json else {
      for (key, reason) in report.damaged {
        output.printer.line("\(key.client.text)/\(key.name.text): left out: \(reason)")
      }
      for (key, reason) in report.shortened {
        output.printer.line(
          "\(key.client.text)/\(key.name.text): contents of older versions left out: \(reason)")
      }
      output.printer.line(
        "\(counted(report.copied, "collection")) copied, \(report.present) there already")
      if report.isDamaged { throw ExitStatus.data.code }
      return
    }
    output.printer.json(
      JSONWriter.object {
        $0.member("copied", report.copied)
        $0.member("present", report.present)
        $0.member("damaged", report.damaged.count)
        $0.member("shortened", report.shortened.count)
      })
    if report.isDamaged { throw ExitStatus.data.code }
  }

  private func show(_ reply: Reply<WriteAnswer>, of collection: CollectionAddress) {
    guard output.json else { return output.printer.show(reply, of: collection) }
    output.printer.json(
      JSONWriter.object {
        $0.member("collection", "\(collection)")
        $0.member("version", reply.value.version)
        $0.member("changed", reply.value.changed)
      })
  }
}

extension StoreCopy.Report {
  fileprivate var isDamaged: Bool { !damaged.isEmpty || !shortened.isEmpty }
}

/// The reason a collection was not copied, and the service it concerns.
private struct CopyError: Error {
  var cause: ClientError
  var address: ServerAddress

  /// Whether the collection does not exist.
  var isGone: Bool {
    if case .problem(let problem) = cause { problem.code == "collection-not-found" } else { false }
  }

  /// Returns the failure to end the command with.
  ///
  /// - Parameters:
  ///   - collection: The collection that was not copied.
  ///   - last: The last collection that was copied, if any.
  /// - Returns: The failure.
  func failure(_ collection: CollectionAddress, after last: String?) -> Failure {
    var failure = Failure(cause, address, about: "\(collection) at \(address)")
    if let last { failure.advice = "to go on from there: --after \(last)" }
    return failure
  }
}

extension DeltaClient {
  /// Copies the content and settings of a collection.
  fileprivate func copy(
    _ collection: CollectionAddress, to target: DeltaClient,
    onSent: @escaping @Sendable (Int) -> Void
  ) async throws(CopyError) -> Reply<WriteAnswer> {
    let (snapshot, settings): ([UInt8], [UInt8])
    do {
      let answer = try await request("GET", collection.path)
      try check(answer)
      snapshot = answer.body
      settings = try await self.settings(of: collection).body
    } catch {
      throw CopyError(cause: error, address: address)
    }
    // The result of a GET can be PUT as it is; the settings are an additional member.
    let body = Array(#"{"settings":"#.utf8) + settings + Array(",".utf8) + snapshot.dropFirst()
    do {
      return try await target.put(body, to: collection, onSent: onSent)
    } catch {
      throw CopyError(cause: error, address: target.address)
    }
  }
}
