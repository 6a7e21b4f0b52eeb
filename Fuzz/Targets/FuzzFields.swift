import HTTP1
import Telemetry

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// Reads the first line as a target and the others as header fields, and takes from the request
/// all that the service does before it looks at a body.
func fuzzFields(_ input: [UInt8]) {
  guard let request = request(input) else { return }
  fuzzQuery(request)
  fuzzConditions(request)
  fuzzCodings(request)
  _ = Preferences(request)
  if let id = RequestID(given: request)?.bytes {
    check(1...RequestID.bytesMax ~= id.count, "a Request-Id of \(id.count) bytes")
  }
  if let trace = TraceContext(request) {
    check(trace.traceparent.utf8.count == 55, "a traceparent")
  }
  if let key = try? IdempotencyKey(request) {
    check(key.text.utf8.count <= 3 * IdempotencyKey.byteCountMax, "a key of \(key.text)")
  }
}

private func request(_ input: [UInt8]) -> HTTPRequest? {
  var head = Array("PUT /v1/clients/u/collections/c".utf8)
  let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  head += (lines.first ?? []) + Array(" HTTP/1.1\r\nHost: h".utf8)
  for line in lines.dropFirst() { head += Array("\r\n".utf8) + line }
  head += Array("\r\n\r\n".utf8)
  var reader = RequestReader()
  var scratch = ReaderScratch(limits: RequestLimits())
  var position = 0
  guard case .request(let request) = reader.next(head.span, at: &position, scratch: &scratch)
  else { return nil }
  return request
}

private func fuzzQuery(_ request: HTTPRequest) {
  guard let query = try? Query(request.query) else { return }
  for name in [QueryParameter.wait, .ping, .limit] {
    if let number = try? query.number(name) {
      check(-999_999_999...999_999_999 ~= number, "\(name)=\(number)")
    }
  }
  guard let chosen = try? Representation(request, query) else { return }
  check(!chosen.mediaType.isEmpty && !chosen.mediaType(isDelta: false).isEmpty, "\(chosen)")
  if query[.dialect] == nil, request.field("accept") == nil {
    check(chosen.mediaType == "application/json", "\(chosen) though nothing was asked for")
  }
}

/// A tag of a version stands for this version in a condition, whatever stands beside it.
private func fuzzConditions(_ request: HTTPRequest) {
  _ = try? Precondition(request)
  let token = VersionToken(lineage: "k3f9m2qx", seq: 44, digest: "1HP-jIGrawhO8P_h")
  let tag = EntityTag.text(token, "snapshot", .gzip)
  let lines = [Array(tag.utf8)[...]] + request.fields("if-match")
  guard let versions = EntityTag.versions(lines, isStrong: true) else {
    fatalError("no condition")
  }
  check(versions.contains(token), "\(versions) without \(tag)")
}

private func fuzzCodings(_ request: HTTPRequest) {
  let accepted = AcceptedCodings(request)
  check(accepted.best != .identity || accepted.allowsIdentity, "identity is refused, and best")
  if request.field("accept-encoding") == nil {
    check(accepted.best == .identity, "coded though nothing was asked for")
  }
  guard let codings = try? ContentCoding.undone(request) else { return }
  check(codings.count <= BodyInflater.codingsMax && !codings.contains(.identity), "\(codings)")
}
