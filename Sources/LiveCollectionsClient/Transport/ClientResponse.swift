/// A field of a request or an answer.
public struct HTTPField: Hashable, Sendable {
  /// Its name, in any case.
  public var name: String
  /// Its value, without white space around it.
  public var value: String

  /// A field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A server's answer of any status.
public struct ClientResponse: Hashable, Sendable {
  /// The status code of the final answer; interim ones are not kept.
  public var status: Int
  /// The fields, in order, repeated ones too.
  public var fields: [HTTPField]
  /// The body's bytes, without any transfer coding.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// The value of the first field of a name; the name's case does not matter (RFC 9110 §5.1).
  public subscript(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// Asks for merge patches of items, and says that they were heeded.
  static let itemPatches = "items=patch"

  /// Whether entries of `items` may be merge patches.
  var patchesItems: Bool {
    let applied = self["Preference-Applied"] ?? ""
    return applied.split(separator: ",").contains { $0.filter { $0 != " " } == Self.itemPatches }
  }

  /// The body read as UTF-8.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
