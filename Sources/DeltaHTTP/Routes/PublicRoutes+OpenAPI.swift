import HTTP1

extension PublicRoutes {
  /// `GET /openapi.json`: the API description.
  func contract() -> HTTPResponse {
    let isProtected = accessControl.authenticator != nil
    return .json(isProtected ? OpenAPIDocument.protected : OpenAPIDocument.open, cache: "no-cache")
  }
}
