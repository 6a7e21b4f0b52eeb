import CollectionService
import HTTP1
import VersionedCollections

extension PublicRoutes {
  /// The inspector's content security policy (CSP 3): only resources and requests of its own
  /// origin.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'
    """

  /// `GET /client/{version}/{file}`: the browser client, its type declarations and the inspector's
  /// files; the page itself is also at `/` and `/ui`.
  ///
  /// The version `latest` is an alias of the one that is served.
  ///
  /// - Throws: `not-found` if there is no such file, or another version is asked for.
  func webFile(_ name: String, _ version: String, _ scope: RequestScope) throws(Problem) {
    guard let file = WebFile[name] else { throw .notFound }
    guard version == WebFile.version || version == "latest" else { throw .otherClientVersion }
    let isPinned = version == WebFile.version
    let coding = scope.codings.coding(forTextOf: file.text.textCount)
    let pieces = [coding == .identity ? file.text : file.deflated]
    var response = HTTPResponse.pieces(pieces, file.mediaType + "; charset=utf-8", scope.codings)
    response.setField("ETag", "\"\(file.tag)\(coding.name.map { ";" + $0 } ?? "")\"")
    response.setField(
      "Cache-Control", isPinned ? "public, max-age=31536000, immutable" : "no-cache")
    response.setField("Vary", "Accept-Encoding")
    response.setField("X-Content-Type-Options", "nosniff")
    response.setField("Content-Security-Policy", Self.policy)
    response.setField("Referrer-Policy", "no-referrer")
    let seen = EntityTag.versions(scope.request.fields("if-none-match"), isStrong: false)
    let isSeen = seen?.matches(file.tag) ?? false
    scope.reply(isSeen ? response.notModified : response)
  }
}
