import CollectionService
import Glibc
import VersionedCollections

/// Copies all that is kept in one place, a directory or a database, to another.
struct DataTransfer {
  let from: String
  let to: String
  let settings: Settings

  /// Copies, and shows how far it is.
  ///
  /// - Returns: What was copied.
  /// - Throws: A `Failure`.
  func run() async throws -> StoreCopy.Report {
    for place in [from, to] where place == ":memory:" || place.isEmpty {
      throw Failure(.usage, "--from and --to are a directory or postgres://… each")
    }
    guard DataStore.isDatabase(from) || access(from, F_OK) == 0 else {
      let shown = ShownText.withoutPasswords(from)
      throw Failure(.missing, "\(shown): there is no such directory")
    }
    let configuration = try ServerSettings.configuration(settings)
    let source = try DataStore.open(from, settings, configuration, as: .copied, Self.tell)
    defer { source.close() }
    let target = try DataStore.open(to, settings, configuration, as: .filled, Self.tell)
    defer { target.close() }
    // A count that is not known is told as a fault, and costs the bar its end.
    let count = await withCheckedContinuation { continuation in
      source.store.countCollections { continuation.resume(returning: $0 ?? 0) }
    }
    let bar = ProgressBar("copy")
    defer { bar.finish() }
    do throws(StoreCopyError) {
      return try await StoreCopy(from: source.store, to: target.store).run {
        bar.update($0.copied + $0.present + $0.damaged.count, of: count)
      }
    } catch {
      throw error.failure
    }
  }

  private static func tell(_ fault: Fault) {
    let subject = [fault.client, fault.collection].compactMap { $0?.text }.joined(separator: "/")
    Terminal.note("livedelta: \(subject)\(subject.isEmpty ? "" : ": ")\(fault.text)")
  }
}

extension StoreCopyError {
  fileprivate var failure: Failure {
    switch cause {
    case .differs, .store(.conflict): Failure(.conflict, "\(self)")
    case .store(.damaged): Failure(.data, "\(self)")
    case .store: Failure(.notNow, "\(self)", advice: "the same command goes on where it ended")
    }
  }
}
