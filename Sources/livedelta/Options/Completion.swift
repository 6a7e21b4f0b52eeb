import ArgumentParser
import LiveCollectionsClient

/// What the shell may put where a client or a collection is wanted: those of the running service.
///
/// A service that does not answer within a second completes nothing.
extension CompletionKind {
  /// `CLIENT/NAME`.
  static var collections: CompletionKind {
    .custom { words, _, prefix in
      guard let service = try? KnownNames(words) else { return [] }
      return await service.collections(prefix)
    }
  }

  /// `CLIENT`.
  static var clients: CompletionKind {
    .custom { words, _, prefix in
      guard let service = try? KnownNames(words) else { return [] }
      return await service.clients(prefix)
    }
  }
}

/// The names that a service knows.
private struct KnownNames {
  private static let pagesMax = 10
  private let client: DeltaClient

  /// The service that the words of a command line name.
  init(_ words: [String]) throws {
    var options = try ConnectionOptions.parse([])
    options.server = Self.value(of: "--server", in: words)
    options.file.config = Self.value(of: "--config", in: words)
    options.timeout = 1
    client = try options.client()
  }

  /// The value of an option; bash makes words of their own of `:` and `=`.
  private static func value(of option: String, in words: [String]) -> String? {
    guard let place = words.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else {
      return nil
    }
    let joined = words[place...].joined(separator: " ")
      .replacing(" : ", with: ":").replacing(" = ", with: "=")
    return joined.dropFirst(option.count + 1).split(separator: " ").first.map(String.init)
  }

  func clients(_ prefix: String) async -> [String] {
    await all { try await client.clients(startingWith: prefix, after: $0).value }.map(\.name)
  }

  /// The collections of the client that the prefix names; before there is a slash, clients.
  func collections(_ prefix: String) async -> [String] {
    guard let slash = prefix.firstIndex(of: "/") else {
      return await clients(prefix).map { $0 + "/" }
    }
    let owner = String(prefix[..<slash])
    return await all { try await client.collections(of: owner, after: $0).value }
      .map { "\(owner)/\($0.name)" }.filter { $0.hasPrefix(prefix) }
  }

  private func all<Element: Hashable & Sendable>(
    _ page: (String?) async throws -> Page<Element>
  ) async -> [Element] {
    (try? await allPages(pagesMax: Self.pagesMax, page)) ?? []
  }
}
