@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// Reads a text as a token, a mark and a name: what is accepted is written as it was read.
func fuzzNames(_ input: [UInt8]) {
  if let token = VersionToken(input) {
    check(input.count <= VersionToken.byteCountMax, "a token of \(input.count) bytes")
    check(Array(token.description.utf8) == input, "the token \(token)")
    check(token.seq > 0, "version \(token.seq)")
  }
  let text = String(decoding: input, as: UTF8.self)
  if let mark = ChangeMark(text) { check(mark.description == text, "the mark \(mark)") }
  if let name = ResourceName(input) {
    check(Array(name.text.utf8) == input && 1...128 ~= input.count, "the name \(name.text)")
  }
  fuzzPath(input)
}

/// A path that leads somewhere does so however much of its names is percent-encoded.
private func fuzzPath(_ input: [UInt8]) {
  let path = Array("/v1/clients/".utf8) + input
  guard let route = try? Route(path: path[...]), let client = route.names.client else { return }
  var encoded = "/v1/clients/" + percentEncoded(client)
  if let name = route.names.collection { encoded += "/collections/" + percentEncoded(name) }
  guard let again = try? Route(path: Array(encoded.utf8)[...]) else { fatalError(encoded) }
  check(again.names == route.names, "\(route) and \(again)")
}

private func percentEncoded(_ name: ResourceName) -> String {
  name.text.utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
