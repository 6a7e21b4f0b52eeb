import CollectionService
import HTTP1
import SnapshotJSON
import Synchronization
import VersionedCollections

/// Whether a compaction is under way.
final class Compaction: Sendable {
  private let isUnderWay = Atomic<Bool>(false)

  /// Returns `false` if another one is under way.
  func begin() -> Bool { !isUnderWay.exchange(true, ordering: .acquiringAndReleasing) }

  /// Lets the next one begin.
  func end() { isUnderWay.store(false, ordering: .releasing) }
}

extension OperationsRoutes {
  /// `GET /clients`: what clients take, by name.
  func clients(_ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page
    let clients = ClientQuery(
      after: page.after, prefix: query[.prefix] ?? "", limit: page.limit)
    service.usage(of: clients, requestID: scope.requestID) { result in
      scope.reply(result) { page, next in
        .page("clients", page, next: next, cache: "no-store") {
          $0.member("client", $1.name.text)
          $0.member("collections", $1.collectionCount)
          $0.member("items", $1.itemCount)
          $0.member("bytes", $1.byteCount)
          $0.member("readers", $1.readerCount)
        }
      }
    }
  }

  /// `GET /clients/{client}`: what its collections take, by name.
  func usage(of client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page
    service.usage(
      of: client, after: page.after, limit: page.limit, requestID: scope.requestID
    ) { result in
      scope.reply(result) { page, hasMore in
        let next = hasMore ? page.last?.summary.name : nil
        return .page("collections", page, next: next, cache: "no-store", of: client) {
          $0.member("name", $1.summary.name.text)
          $0.member("version", $1.summary.version.description)
          $0.member("items", $1.summary.itemCount)
          if let byteCount = $1.byteCount { $0.member("bytes", byteCount) }
          $0.member("readers", $1.readerCount)
          $0.member("inMemory", $1.isLoaded)
        }
      }
    }
  }

  func deleteClient(_ client: ResourceName, _ scope: RequestScope) {
    service.deleteClient(client, requestID: scope.requestID) { result in
      scope.reply(result) { _ in HTTPResponse(status: 204) }
    }
  }

  /// `POST /compact`: frees what the store no longer needs, one compaction at a time.
  func compact(_ scope: RequestScope) {
    guard compaction.begin() else {
      return scope.reply(
        Problem(503, .overloaded, "a compaction is in progress", retryAfter: 5))
    }
    service.compact { result in
      compaction.end()
      scope.reply(result) { report in
        .json(
          JSONWriter.object {
            $0.member("freedBytes", report.freedBytes)
            $0.key("before")
            $0.write(report.before)
            $0.key("after")
            $0.write(report.after)
          }, cache: "no-store")
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ space: CompactionReport.Space) {
    object {
      $0.member("databaseBytes", space.databaseBytes)
      $0.member("freeBytes", space.freeBytes)
      $0.member("logBytes", space.logBytes)
    }
  }
}
