/// What the names that a pattern matches have in common.
package enum NameBounds: Hashable, Sendable {
  case only(String)
  /// They begin with this text; not every name that does is matched.
  case prefix(String)
}

extension Glob {
  var bounds: NameBounds {
    let literal = text.prefix { $0 != "*" }
    return literal.count == text.count ? .only(text) : .prefix(String(literal))
  }
}
