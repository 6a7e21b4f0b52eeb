import HTTP1

extension PublicRoutes {
  /// `GET /openapi.json`: what clients may ask, for machines.
  func contract() -> HTTPResponse { .json(OpenAPIDocument.bytes, cache: "no-cache") }
}
