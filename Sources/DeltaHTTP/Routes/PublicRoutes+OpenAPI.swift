import HTTP1

extension PublicRoutes {
  /// `GET /openapi.json`: what clients may ask, for machines.
  func contract() -> HTTPResponse { .json(OpenAPIDocument.bytes, cache: "no-cache") }

  /// `GET /ui`: a page that shows collections.
  func inspector() -> HTTPResponse {
    var response = HTTPResponse(status: 200, body: .bytes(InspectorPage.bytes))
    response.setField("Content-Type", MediaType.html + "; charset=utf-8")
    response.setField("Cache-Control", "no-cache")
    response.setField("Content-Security-Policy", InspectorPage.policy)
    response.setField("X-Content-Type-Options", "nosniff")
    response.setField("Referrer-Policy", "no-referrer")
    return response
  }
}
