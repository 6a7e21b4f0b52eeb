/// JSON pointers as a tree, to find the values of all of them in one pass over an item's text.
///
/// As in `JSONValue`, the last of several members with one name counts. The text is one that ``RawJSON``
/// reads.
package struct PointerTree: Sendable {
  /// Where a node is in a text: the ranges of its name, with quotes, and of its value.
  package struct Place: Sendable {
    package fileprivate(set) var name = 0..<0
    /// Empty where the text has no such value.
    package fileprivate(set) var value = 0..<0
  }

  /// A name on the way to some pointers' values; a plain value, so that finding one counts no references.
  private struct Node {
    /// Where the name is in ``names``.
    var name: Range<Int>
    /// The index that the name stands for in an array, if any.
    var element: Int?
    /// The first of the nodes below it, 0 for none, and the next one below the same node.
    var child = 0
    var next = 0
    /// Whether it is the end of a pointer.
    var isLeaf = false
  }

  /// A node comes before those below it; the first is the root.
  private var nodes = [Node(name: 0..<0)]
  private var names: [UInt8] = []
  /// The node at the end of each pointer, in their order.
  package private(set) var leaves: [Int] = []

  /// Creates the tree of some pointers.
  package init(_ pointers: [JSONPointer]) {
    for pointer in pointers {
      var node = 0
      for token in pointer.tokens { node = child(of: node, named: token) }
      nodes[node].isLeaf = true
      leaves.append(node)
    }
  }

  private mutating func child(of node: Int, named name: [UInt8]) -> Int {
    if let child = children(of: node).first(where: { names[nodes[$0].name] == name[...] }) {
      return child
    }
    nodes.append(
      Node(
        name: names.count..<names.count + name.count, element: JSONPointer.arrayIndex(name),
        next: nodes[node].child))
    names += name
    nodes[node].child = nodes.count - 1
    return nodes.count - 1
  }

  private func children(of node: Int) -> some Sequence<Int> {
    sequence(state: nodes[node].child) { child in
      defer { child = nodes[child].next }
      return child == 0 ? nil : child
    }
  }

  /// Places without values, for ``find(in:_:)``.
  package var noPlaces: [Place] { [Place](repeating: Place(), count: nodes.count) }

  /// Finds the values of all pointers.
  ///
  /// - Parameters:
  ///   - text: The item's text.
  ///   - places: As many places as ``noPlaces`` has; they are replaced.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func find(in text: Span<UInt8>, _ places: inout [Place]) {
    for index in places.indices { places[index].value = 0..<0 }
    var at = 0
    enter(0, text, &at, &places)
    places[0].value = 0..<at
  }

  /// Moves past a value, finding what is below its node.
  private func enter(_ node: Int, _ text: Span<UInt8>, _ at: inout Int, _ places: inout [Place]) {
    guard at < text.count, nodes[node].child != 0 else {
      return RawJSON.skipValue(text, &at)
    }
    switch text[at] {
    case Byte.openBrace: enterObject(node, text, &at, &places)
    case Byte.openBracket: enterArray(node, text, &at, &places)
    default: RawJSON.skipValue(text, &at)
    }
  }

  private func enterObject(
    _ node: Int, _ text: Span<UInt8>, _ at: inout Int, _ places: inout [Place]
  ) {
    at &+= 1
    while at < text.count, text[at] != Byte.closeBrace {
      let start = at
      RawJSON.skipString(text, &at)
      let name = start..<at
      at &+= 1
      if let child = child(of: node, named: text.extracting(name)) {
        forget(child, &places)
        let value = at
        enter(child, text, &at, &places)
        places[child] = Place(name: name, value: value..<max(at, value))
      } else {
        RawJSON.skipValue(text, &at)
      }
      if at < text.count, text[at] == Byte.comma { at &+= 1 }
    }
    at = min(at &+ 1, text.count)
  }

  private func enterArray(
    _ node: Int, _ text: Span<UInt8>, _ at: inout Int, _ places: inout [Place]
  ) {
    at &+= 1
    var element = 0
    while at < text.count, text[at] != Byte.closeBracket {
      let start = at
      if let child = children(of: node).first(where: { nodes[$0].element == element }) {
        enter(child, text, &at, &places)
        places[child] = Place(value: start..<at)
      } else {
        RawJSON.skipValue(text, &at)
      }
      element &+= 1
      if at < text.count, text[at] == Byte.comma { at &+= 1 }
    }
    at = min(at &+ 1, text.count)
  }

  /// Removes the places of what is below a node, of which an earlier member of the same name had some.
  private func forget(_ node: Int, _ places: inout [Place]) {
    for child in children(of: node) {
      places[child].value = 0..<0
      forget(child, &places)
    }
  }

  /// The child with a name that is given as in the text, with its quotes.
  @inline(__always)
  private func child(of node: Int, named text: Span<UInt8>) -> Int? {
    var child = nodes[node].child
    while child != 0 {
      if isName(nodes[child].name, text) { return child }
      child = nodes[child].next
    }
    return nil
  }

  @inline(__always)
  private func isName(_ name: Range<Int>, _ text: Span<UInt8>) -> Bool {
    // An escape is longer than what it stands for.
    guard text.count >= name.count &+ 2 else { return false }
    guard text.count == name.count &+ 2 else { return isNameByEscapes(name, text) }
    let start = name.lowerBound
    for at in 0..<name.count {
      // A text of this length that has an escape stands for a shorter name.
      let byte = text[at &+ 1]
      guard names[start &+ at] == byte, byte != Byte.backslash else { return false }
    }
    return true
  }

  @inline(never)
  private func isNameByEscapes(_ name: Range<Int>, _ text: Span<UInt8>) -> Bool {
    for at in text.indices where text[at] == Byte.backslash {
      return RawJSON.unescaped(text)[...] == names[name]
    }
    return false
  }
}

extension PointerTree {
  /// Appends the object that has only the values at the pointers, in their order in the text.
  ///
  /// Objects on the way to a value are there with what is selected of them; elements of arrays are no members, and
  /// are never selected alone. The value at an empty pointer is the whole text.
  ///
  /// - Parameters:
  ///   - text: The item's text.
  ///   - places: Those found in it.
  ///   - output: Where the object is appended.
  package func write(_ text: Span<UInt8>, _ places: [Place], to output: inout [UInt8]) {
    write(0, text, places, &output)
  }

  private func write(
    _ node: Int, _ text: Span<UInt8>, _ places: [Place], _ output: inout [UInt8]
  ) {
    if nodes[node].isLeaf { return append(text.extracting(places[node].value), &output) }
    output.append(Byte.openBrace)
    let members = children(of: node).filter { isMember($0, text, places) }
      .sorted { places[$0].name.lowerBound < places[$1].name.lowerBound }
    for member in members {
      if member != members.first { output.append(Byte.comma) }
      append(text.extracting(places[member].name), &output)
      output.append(Byte.colon)
      write(member, text, places, &output)
    }
    output.append(Byte.closeBrace)
  }

  /// Whether a node is a member of an object, which is selected or on the way to what may be.
  private func isMember(_ node: Int, _ text: Span<UInt8>, _ places: [Place]) -> Bool {
    let place = places[node]
    guard !place.value.isEmpty, !place.name.isEmpty else { return false }
    return nodes[node].isLeaf || text[place.value.lowerBound] == Byte.openBrace
  }

  private func append(_ bytes: Span<UInt8>, _ output: inout [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
  }
}
