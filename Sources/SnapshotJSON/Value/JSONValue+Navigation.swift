extension JSONValue {
  /// The members of an object in text order; empty for other values.
  public var members: JSONMembers { JSONMembers(object: self) }

  /// The elements of an array; empty for other values.
  public var elements: JSONElements { JSONElements(array: self) }

  /// Returns the value of a member; nil if there is none or this is not an object.
  ///
  /// If the name occurs several times, the last member counts, as in most JSON parsers.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  public subscript(_ key: String) -> JSONValue? {
    value(named: Array(key.utf8))
  }

  /// Compares names by their bytes, because `String` considers `é` equal to `e` and an accent.
  func value(named name: [UInt8]) -> JSONValue? {
    guard kind == .object else { return nil }
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
    guard let pointer = JSONPointer(pointer) else { return nil }
    return value(at: pointer)
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

  /// The member or element that a reference token refers to.
  private func child(_ token: String) -> JSONValue? {
    switch kind {
    case .object: self[token]
    case .array:
      JSONPointer.arrayIndex(token).flatMap { elements.dropFirst($0).first { _ in true } }
    default: nil
    }
  }
}

/// The members of an object, in text order.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let storage: JSONStorage
  private var at: Int
  private let end: Int

  init(object: JSONValue) {
    storage = object.storage
    at = object.index + 1
    end = object.kind == .object ? Int(object.token.next) : at
  }

  /// Returns the next member: its unescaped name and its value.
  public mutating func next() -> (key: String, value: JSONValue)? {
    guard at < end else { return nil }
    let name = JSONValue(storage: storage, index: at)
    let value = JSONValue(storage: storage, index: at + 1)
    at = Int(value.token.next)
    return (name.string ?? "", value)
  }
}

/// The elements of an array.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let storage: JSONStorage
  private var at: Int
  private let end: Int

  init(array: JSONValue) {
    storage = array.storage
    at = array.index + 1
    end = array.kind == .array ? Int(array.token.next) : at
  }

  /// Returns the next element.
  public mutating func next() -> JSONValue? {
    guard at < end else { return nil }
    let value = JSONValue(storage: storage, index: at)
    at = Int(value.token.next)
    return value
  }
}
