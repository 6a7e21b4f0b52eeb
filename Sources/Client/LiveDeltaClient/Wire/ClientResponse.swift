/// A field of a request or response.
public struct HeaderField: Hashable, Sendable {
  /// The name, in any case.
  public var name: String
  /// The value, with whitespace trimmed.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A response with any status.
public struct ClientResponse: Hashable, Sendable {
  /// The status code of the final response; interim ones are skipped.
  public var status: Int
  /// The fields in order, including repeated ones.
  public var fields: [HeaderField]
  /// The body, with any transfer coding removed.
  public var body: [UInt8]

  /// Creates a response.
  public init(status: Int, fields: [HeaderField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// Returns the value of the first field with a name, in any case (RFC 9110 §5.1).
  public subscript(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// The preference that requests merge patches of items and, in a response, confirms them.
  static let itemPatches = "items=patch"

  /// Whether entries of `items` may be merge patches.
  var patchesItems: Bool {
    let applied = self["Preference-Applied"] ?? ""
    return applied.split(separator: ",").contains { $0.filter { $0 != " " } == Self.itemPatches }
  }

  /// The body decoded as UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
