import CollectionService
import HTTP1
import VersionedCollections

extension HTTPResponse {
  /// What the choice of a response depends on.
  static let variance = "Accept-Encoding, Accept, Authorization"
  /// What the choice of a delta depends on.
  static let deltaVariance = variance + ", Prefer"
  /// What the choice of an answer depends on that anybody may have.
  static let publicVariance = "Accept-Encoding, Accept"

  /// Whether shared caches may keep it.
  var isPublic: Bool { field("Cache-Control")?.starts(with: "public".utf8) ?? false }

  static func json(_ bytes: [UInt8], status: Int = 200, cache: String) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: .bytes(bytes))
    response.setField("Content-Type", MediaType.json)
    response.appendField("Cache-Control", cache)
    response.appendField("Vary", variance)
    return response
  }

  /// A response without content, which is not to be kept.
  static var noContent: HTTPResponse {
    var response = HTTPResponse(status: 204)
    response.setField("Cache-Control", "no-store")
    return response
  }

  /// What is sent in place of this response to a client that has it (RFC 9110 §15.4.5): the fields
  /// that say which it would have been, none that describe the content.
  var notModified: HTTPResponse {
    var response = self
    response.status = 304
    response.body = .none
    response.removeFields("Content-Type")
    response.removeFields("Content-Encoding")
    return response
  }

  /// The same response in a coding, which it must not have already.
  func coded(_ coding: ContentCoding) -> HTTPResponse {
    guard let name = coding.name else { return self }
    var response = self
    response.body = HTTPBody([EncodedText(body.joined)], coding)
    response.appendField("Content-Encoding", name)
    if let tag = field("ETag") {
      response.setField("ETag", tag.dropLast() + Array(";\(name)\"".utf8))
    }
    return response
  }
}

extension HTTPBody {
  /// The content in one piece.
  fileprivate var joined: [UInt8] {
    switch self {
    case .none: []
    case .bytes(let bytes): bytes
    case .segments(let segments): Array(segments.joined())
    }
  }
}
