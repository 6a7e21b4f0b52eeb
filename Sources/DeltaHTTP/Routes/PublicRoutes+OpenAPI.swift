import HTTP1

extension PublicRoutes {
  /// `GET /openapi.json`: the API description.
  func contract() -> HTTPResponse { .json(OpenAPIDocument.bytes, cache: "no-cache") }
}
