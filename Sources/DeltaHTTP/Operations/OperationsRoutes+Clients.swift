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
    let page = try query.page(limits)
    let clients = ClientQuery(
      after: page.after, prefix: query[.prefix] ?? "", limit: page.limit)
    service.usage(of: clients, requestID: scope.requestID) { result in
      scope.reply(result) { page, next in
        .json(
          JSONWriter.object { writer in
            writer.array("clients", page) { writer, usage in
              writer.object {
                $0.member("client", usage.name.text)
                $0.member("collections", usage.collectionCount)
                $0.member("items", usage.itemCount)
                $0.member("bytes", usage.byteCount)
                $0.member("readers", usage.readerCount)
              }
            }
            if let next { writer.member("next", next.text) }
          }, cache: "no-store")
      }
    }
  }

  /// `GET /clients/{client}`: what its collections take, by name.
  func usage(of client: ResourceName, _ scope: RequestScope, _ query: Query) throws(Problem) {
    let page = try query.page(limits)
    service.usage(
      of: client, after: page.after, limit: page.limit, requestID: scope.requestID
    ) { result in
      scope.reply(result) { page, hasMore in
        .json(
          JSONWriter.object { writer in
            writer.member("client", client.text)
            writer.array("collections", page) { writer, usage in
              writer.object {
                $0.member("name", usage.summary.name.text)
                $0.member("version", usage.summary.version.description)
                $0.member("items", usage.summary.itemCount)
                if let byteCount = usage.byteCount { $0.member("bytes", byteCount) }
                $0.member("readers", usage.readerCount)
                $0.member("inMemory", usage.isLoaded)
              }
            }
            if hasMore, let last = page.last { writer.member("next", last.summary.name.text) }
          }, cache: "no-store")
      }
    }
  }

  /// `DELETE /clients/{client}`: deletes it with all it has.
  func deleteClient(_ client: ResourceName, _ scope: RequestScope) {
    service.deleteClient(client, requestID: scope.requestID) { result in
      scope.reply(result) { _ in HTTPResponse(status: 204) }
    }
  }

  /// `POST /compact`: frees what the store no longer needs, one compaction at a time.
  func compact(_ scope: RequestScope) {
    guard compaction.begin() else {
      return scope.reply(
        Problem(503, .overloaded, "a compaction is under way", retryAfter: 5))
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

extension Query {
  /// Returns the requested page of an index: where it starts, and its size.
  func page(_ limits: WireLimits) throws(Problem) -> (after: ResourceName?, limit: Int) {
    let limit = min(try self.limit ?? limits.indexPageDefault, limits.indexPageMax)
    guard let cursor = self[.cursor], !cursor.isEmpty else { return (nil, limit) }
    guard let after = ResourceName(cursor) else {
      throw .badParameter("cursor is what next was in the last answer")
    }
    return (after, limit)
  }
}
