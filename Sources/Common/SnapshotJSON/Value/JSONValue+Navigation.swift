extension JSONValue {
  /// The members of an object in text order, with unescaped names; empty for other values.
  public var members: some Sequence<(key: String, value: JSONValue)> {
    JSONElements(self, .object).lazy.map { (key: $0.name.string ?? "", value: $0) }
  }

  /// The elements of an array; empty for other values.
  public var elements: JSONElements { JSONElements(self, .array) }

  /// The name of a member, by its value.
  var name: JSONValue { JSONValue(storage: storage, index: index - 1) }

  /// Returns the value of a member; nil if there is none or this is not an object.
  ///
  /// If the name occurs several times, the last member counts, as in most JSON parsers.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public subscript(_ key: String) -> JSONValue? {
    kind == .object ? child(Array(key.utf8)) : nil
  }

  /// The last member with a name, or the element with an index.
  private func child(_ name: [UInt8]) -> JSONValue? {
    var found: JSONValue?
    storage.withView { view in
      view.forEachChild(name, of: UInt32(index)) {
        found = JSONValue(storage: storage, index: Int($0))
      }
    }
    return found
  }

  /// Returns the value at a JSON pointer (RFC 6901); nil if there is none or the pointer is
  /// invalid.
  ///
  /// `""` is the value itself; `/a/0` is the first element of its member `a`.
  public func value(at pointer: String) -> JSONValue? {
    JSONPointer(pointer).flatMap { value(at: $0) }
  }

  /// Returns the value at a JSON pointer (RFC 6901); nil if there is none.
  public func value(at pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      guard let next = value.child(token) else { return nil }
      value = next
    }
    return value
  }

  /// The pointer to the value from the root of its document.
  package var pointer: String { JSONValue(storage: storage, index: 0).pointer(to: index) }

  /// Returns the pointer to a value inside this one, by its index on the tape.
  func pointer(to inner: Int) -> String {
    var (pointer, outer) = ("", self)
    while outer.index < inner {
      let children = JSONElements(outer, outer.kind).enumerated()
      guard let (place, child) = children.first(where: { inner < $0.element.token.next }) else {
        break
      }
      let isMember = outer.kind == .object
      pointer += "/" + (isMember ? JSONPointer.escape(child.name.string ?? "") : "\(place)")
      outer = child
    }
    return pointer
  }
}

/// The elements of an array, or the values of an object's members, in text order.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let storage: JSONStorage
  private var at: Int
  private let end: Int
  /// The number of tokens before each value.
  private let nameCount: Int

  init(_ value: JSONValue, _ kind: JSONKind) {
    storage = value.storage
    at = value.index + 1
    end = value.kind == kind ? Int(value.token.next) : at
    nameCount = kind == .object ? 1 : 0
  }

  /// Returns the next value.
  public mutating func next() -> JSONValue? {
    guard at < end else { return nil }
    let value = JSONValue(storage: storage, index: at + nameCount)
    at = Int(value.token.next)
    return value
  }
}
