import Authentication
import CollectionService
import HTTP1
import SnapshotJSON
import VersionedCollections

extension PublicRoutes {
  /// `POST …/tickets`: issues a ticket, with which an `EventSource` can open one stream.
  func tickets(_ client: ResourceName, _ scope: RequestScope) {
    service.parse(scope.request.body) { result in
      do throws(Problem) {
        let names = try Self.names(result)
        var scope = scope.withoutBody()
        try scope.require(.read, names, of: client)
        scope.reply(try ticket(client, names, scope.authorization))
      } catch {
        scope.reply(error)
      }
    }
  }

  /// Without authentication streams need no ticket, and what is issued is not looked at.
  private func ticket(
    _ client: ResourceName, _ names: [ResourceName], _ authorization: Authorization?
  ) throws(Problem) -> HTTPResponse {
    var (ticket, expires) = ("none", accessControl.date() + Tickets.lifetime)
    if let authorization {
      let issued = accessControl.tickets.issue(
        authorization, client: client.text, collections: names.map(\.text))
      guard let issued else { throw Problem(Refusal.insufficientScope) }
      (ticket, expires) = issued
    }
    let body = JSONWriter.object {
      $0.member("ticket", ticket)
      $0.member("expires", HTTPDate.timestamp(secondsSince1970: expires))
    }
    return .json(body, cache: "no-store")
  }

  /// Parses `{"collections":["inbox","cart"]}`.
  private static func names(
    _ result: Result<JSONDocument, ServiceError>
  ) throws(Problem) -> [ResourceName] {
    let root: JSONValue
    do throws(ServiceError) {
      root = try result.get().root
    } catch {
      throw Problem(error)
    }
    guard root.kind == .object, let list = root["collections"], list.kind == .array else {
      throw .badParameter("a ticket is for {\"collections\":[\"inbox\",\"cart\"]}")
    }
    if let unknown = root.unknownMember(besides: ["collections"]) {
      throw .unknownMember(unknown)
    }
    var names: [ResourceName] = []
    for element in list.elements {
      guard let name = element.string.flatMap({ ResourceName($0) }) else { throw .badIdentifier }
      names.append(name)
    }
    guard !names.isEmpty else { throw .badParameter("collections names at least one") }
    guard names.count <= Tickets.collectionsMax else {
      throw Problem(
        413, .tooManyItems, "\(names.count) collections in one ticket",
        limit: Tickets.collectionsMax)
    }
    return names
  }
}
