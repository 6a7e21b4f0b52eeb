import SnapshotJSON

/// The contract of the public listener as a machine reads it: OpenAPI 3.1.
enum OpenAPIDocument {
  /// The document on one line, as all JSON of the service is.
  static let bytes: [UInt8] = {
    let text = """
      {"openapi":"3.1.0","info":{\(info)},"paths":{\(paths),\(collectionPaths)},
      "components":{"schemas":{\(requestSchemas),\(answerSchemas)},
      "parameters":{\(parameters)},\(fields)}}
      """
    guard let document = try? JSONReader(depthMax: 256).read(Array(text.utf8)) else {
      preconditionFailure("the contract is not JSON")
    }
    return document.root.minified()
  }()

  private static let info = #"""
    "title":"LiveDelta","version":"1",
    "description":"Snapshots in, deltas out: what changed in a list, as steps that a view can animate."
    """#
}
