import Authentication
import CollectionService
import VersionedCollections

extension RequestScope {
  /// What the request shows of a collection: what it asks for, within what its sender may see; `nil` for all.
  ///
  /// - Throws: `insufficient-scope` if nobody knows what the sender may see.
  func view(_ asked: ViewQuery?, of name: ResourceName, of client: ResourceName) throws(Problem)
    -> ViewQuery?
  {
    guard
      let imposed = authorization?.principal.imposedView(client: client.text, name: name.text)
    else { return asked }
    var view = asked ?? ViewQuery()
    do throws(ViewError) {
      view.view = view.view.restricted(by: try imposed.restriction())
    } catch {
      throw Problem(Refusal.insufficientScope)
    }
    return view
  }

  /// What the request shows of a collection; see ``view(_:of:of:)``.
  func view(_ query: Query, _ key: CollectionKey) throws(Problem) -> ViewQuery? {
    try view(query.view, of: key.name, of: key.client)
  }

  /// Restricts what a request shows of several collections to what its sender may see.
  func restrict(
    _ entries: inout [SyncRequest.Entry], of client: ResourceName
  ) throws(Problem) {
    for index in entries.indices {
      entries[index].view = try view(entries[index].view, of: entries[index].name, of: client)
    }
  }
}
