/// A value of a request: its objects are read only if each name stands once in them.
///
/// Two readers of an object with a repeated name could take two different members, so that such an object
/// is refused rather than understood. ``content`` is for what is kept as it was sent.
///
/// ```swift
/// let request = try reader.readStrictly(body)
/// let edits = try request.object(of: ["edits"])?["edits"]
/// ```
public struct StrictJSON: Sendable {
  /// The value itself, whose objects may repeat names.
  public let content: JSONValue

  /// Creates the strict view of a value.
  public init(_ content: JSONValue) { self.content = content }

  /// The kind of the value.
  public var kind: JSONKind { content.kind }

  /// Whether this is `null`.
  public var isNull: Bool { content.isNull }

  /// The Boolean value; nil for other kinds.
  public var bool: Bool? { content.bool }

  /// The integer; nil unless this is a number without fraction and exponent that fits into an `Int`.
  public var int: Int? { content.int }

  /// Whether this is a number without fraction and exponent, of any size.
  public var isInteger: Bool { content.isInteger }

  /// The unescaped string; nil for other kinds.
  public var string: String? { content.string }

  /// The UTF-8 bytes of the unescaped string; nil for other kinds.
  public var stringBytes: [UInt8]? { content.stringBytes }

  /// The value's text, unchanged.
  public var rawBytes: ArraySlice<UInt8> { content.rawBytes }

  /// The elements of an array; empty for other values.
  public var elements: some Sequence<StrictJSON> { content.elements.lazy.map { StrictJSON($0) } }

  /// Returns the members of an object.
  ///
  /// - Parameter known: The names that it may have; nil for any.
  /// - Returns: The members; nil for a value of another kind.
  /// - Throws: ``MemberFault`` for the first member that is not known, or whose name stands twice.
  /// - Complexity: O(*n* *k*), where *n* is the number of members and *k* that of known names.
  public func object(of known: [String]? = nil) throws(MemberFault) -> Object? {
    guard kind == .object else { return nil }
    var members: [Object.Member] = []
    var names: Set<[UInt8]> = []
    for value in JSONElements(content, .object) {
      let bytes = value.name.stringBytes ?? []
      let name = String(decoding: bytes, as: UTF8.self)
      guard names.insert(bytes).inserted else { throw MemberFault(repeated: name) }
      members.append((name, StrictJSON(value)))
    }
    let object = Object(members: members)
    if let known, let unknown = object.unknownMember(besides: known) { throw unknown }
    return object
  }

  /// The first member, at any depth, whose name stands twice in its object; nil if there is none.
  public var firstRepeatedMember: MemberFault? {
    var names: Set<[UInt8]> = []
    let isObject = kind == .object
    for (index, value) in JSONElements(content, kind).enumerated() {
      let name = isObject ? value.name.stringBytes ?? [] : Array("\(index)".utf8)
      let text = String(decoding: name, as: UTF8.self)
      guard names.insert(name).inserted else { return MemberFault(repeated: text) }
      if var fault = StrictJSON(value).firstRepeatedMember {
        fault.pointer = "/" + JSONPointer.escape(text) + fault.pointer
        return fault
      }
    }
    return nil
  }

  /// An object in which each name stands once.
  public struct Object: Sendable {
    /// A member with its unescaped name.
    public typealias Member = (name: String, value: StrictJSON)

    /// The members in text order.
    public let members: [Member]

    /// Returns the value of a member; nil if there is none.
    public subscript(_ name: String) -> StrictJSON? {
      members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Returns the first member that is not known; nil if there is none.
    public func unknownMember(besides known: [String]) -> MemberFault? {
      members.first { !known.contains($0.name) }.map { MemberFault(unknown: $0.name, known) }
    }
  }
}

/// A member that an object must not have: it is not recognized, or its name stands twice.
public struct MemberFault: Error, Hashable, Sendable {
  /// The JSON pointer to it, relative to the object.
  public var pointer: String
  /// A description; that of an unknown member suggests a similar name.
  public var detail: String
  /// Whether its name stands twice.
  public let isRepeated: Bool

  init(repeated name: String) {
    pointer = "/" + JSONPointer.escape(name)
    detail = "the member \(name.prefix(64)) stands twice"
    isRepeated = true
  }

  init(unknown name: String, _ known: [String]) {
    pointer = "/" + JSONPointer.escape(name)
    detail =
      "there is no member \(name.prefix(64))" + JSONValue.suggestion(for: name, among: known)
    isRepeated = false
  }
}

extension JSONReader {
  /// Validates the text of a request as ``read(_:)`` does; its objects are read strictly.
  public func readStrictly(_ bytes: [UInt8]) throws(JSONError) -> StrictJSON {
    StrictJSON(try read(bytes).root)
  }
}
