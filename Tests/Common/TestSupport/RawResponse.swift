/// A response as it came over the wire, its transfer coding removed.
package struct RawResponse: Sendable {
  package let status: Int
  /// The fields in the order they came, their names in lower case.
  package let fields: [(name: String, value: String)]
  package var body: [UInt8] = []

  /// Reads a head, without the empty line that ends it.
  init(head: String) {
    status = Int(head.dropFirst(9).prefix(3)) ?? 0
    fields = head.split(separator: "\r\n").dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
    }
  }

  package var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of the first field of a name.
  package subscript(name: String) -> String? {
    fields.first { $0.name == name.lowercased() }?.value
  }

  /// RFC 9110 §6.4.1: whether a status is one of those without content.
  var hasBody: Bool { status >= 200 && status != 204 && status != 304 }
}
