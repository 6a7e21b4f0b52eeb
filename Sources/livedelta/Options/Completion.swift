import ArgumentParser
import LiveDeltaAdmin
import LiveDeltaClient

/// Shell completion of clients and collections, from the running service.
///
/// Nothing is completed if the service does not answer within a second.
extension CompletionKind {
  /// Completes `CLIENT/NAME`.
  static var collections: CompletionKind {
    .custom { words, _, prefix in
      // An error completes nothing; the command itself tells it.
      guard let service = try? KnownNames(words) else { return [] }
      return await service.collections(prefix)
    }
  }

  static var clients: CompletionKind {
    .custom { words, _, prefix in
      // An error completes nothing; the command itself tells it.
      guard let service = try? KnownNames(words) else { return [] }
      return await service.clients(prefix)
    }
  }
}

/// The names in a service, for completion.
private struct KnownNames {
  private static let pagesMax = 10
  private let client: DeltaClient

  /// Connects to the service that the words of a command line specify.
  init(_ words: [String]) throws {
    var options = try ConnectionOptions.parse([])
    options.server = Self.value(of: "--server", in: words)
    options.file.config = Self.value(of: "--config", in: words)
    options.timeout = 1
    client = try options.client()
  }

  /// Returns the value of an option; bash splits words at `:` and `=`.
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

  /// Returns the collections of the client in the prefix or, without a slash, clients.
  func collections(_ prefix: String) async -> [String] {
    guard let slash = prefix.firstIndex(of: "/") else {
      return await clients(prefix).map { $0 + "/" }
    }
    let owner = String(prefix[..<slash])
    return await all { try await client.collections(of: owner, after: $0).value }
      .map { "\(owner)/\($0.name)" }.filter { $0.hasPrefix(prefix) }
  }

  private func all<Element: Hashable & Sendable>(
    _ page: (String?) async throws -> ListPage<Element>
  ) async -> [Element] {
    var (found, cursor): ([Element], String?) = ([], nil)
    for _ in 0..<Self.pagesMax {
      // An error completes no more, as above.
      guard let next = try? await page(cursor) else { break }
      found += next.elements
      cursor = next.next
      if cursor == nil { break }
    }
    return found
  }
}
