import Authentication
import CollectionService
import VersionedCollections

extension RequestScope {
  /// What the request's sender may see of a collection of which it asks for a view; `nil` for all of it.
  ///
  /// - Throws: `insufficient-scope` if nobody knows what the sender may see.
  func access(
    _ asked: ViewQuery?, of name: ResourceName, of client: ResourceName
  ) throws(Problem) -> ReadAccess {
    if refusal != nil { return .ifPublic }
    guard
      let imposed = authorization?.principal.imposedView(client: client.text, name: name.text)
    else { return .granted }
    var view = asked ?? ViewQuery()
    do throws(ViewError) {
      view.view = view.view.restricted(by: try imposed.restriction())
    } catch {
      throw Problem(Refusal.insufficientScope)
    }
    return .restricted(to: view)
  }

  /// What the request's sender may see of a collection; see ``access(_:of:of:)``.
  func access(_ asked: ViewQuery?, _ key: CollectionKey) throws(Problem) -> ReadAccess {
    try access(asked, of: key.name, of: key.client)
  }

  /// The problem of a request that failed: one that only what is public was served to is refused as if nothing had
  /// been asked.
  func problem(_ failure: ServiceFailure) -> Problem {
    guard case .notPublic = failure.error, let refusal else { return Problem(failure) }
    return Problem(refusal)
  }

  /// Restricts what a request shows of several collections to what its sender may see.
  func restrict(
    _ entries: inout [SyncRequest.Entry], of client: ResourceName
  ) throws(Problem) {
    for index in entries.indices {
      entries[index].access = try access(
        entries[index].view, of: entries[index].name, of: client)
    }
  }
}

extension ReadAccess {
  /// What an answer shows to who asked for a view; `nil` for all of the collection.
  func view(_ asked: ViewQuery?, isPublic: Bool) -> ViewQuery? {
    if case .restricted(let view) = self, !isPublic { view } else { asked }
  }
}
