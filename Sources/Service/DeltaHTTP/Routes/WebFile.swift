import CWebFiles
import CollectionService
import Cryptography
import Foundation
import VersionedCollections

/// A file of `clients/web`, embedded when the program was built.
struct WebFile: Sendable {
  let name: String
  let text: EncodedText
  /// The file deflated in advance.
  let deflated: EncodedText
  let hash: [UInt8]

  /// The value of a script element's `integrity` attribute (Subresource Integrity §3.1).
  var integrity: String { "sha256-" + Data(hash).base64EncodedString() }

  /// The opaque part of its entity tag.
  var tag: String { hash.prefix(12).hexadecimal }

  var mediaType: String {
    switch name.split(separator: ".").last {
    case "css": "text/css"
    case "html": MediaType.html
    case "svg": "image/svg+xml"
    case "ts": "application/typescript"
    default: "text/javascript"
    }
  }

  private init(_ file: cweb_file) {
    name = unsafe String(cString: file.name)
    let bytes = unsafe Self.bytes(of: file)
    text = EncodedText(bytes)
    deflated = Deflater.deflate(bytes)
    hash = SHA256.hash(bytes)
  }

  static func bytes(of file: cweb_file) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }

  static let all = unsafe UnsafeBufferPointer(
    start: cweb_files(), count: cweb_files_count()
  ).map { unsafe WebFile($0) }

  /// The module that pages import.
  static let core = all[0]

  static subscript(name: String) -> WebFile? { all.first { $0.name == name } }

  /// A hash of all files, so that a path with a version always has the same contents.
  static let version = SHA256.hash(all.flatMap(\.hash)).prefix(8).hexadecimal
}

extension Sequence<UInt8> {
  fileprivate var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension Problem {
  /// There is no such version of the client.
  static let otherClientVersion = Problem(
    404, .notFound,
    "the client is served in the version \(WebFile.version) only, at /client/\(WebFile.version)/")
}
