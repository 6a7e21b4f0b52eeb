import CWebFiles
import SnapshotJSON

/// The API description: `docs/openapi.json`, embedded when the program was built.
enum Contract {
  /// The document of a service with keys, where most operations need a credential.
  static let protected: [UInt8] = {
    guard let root = unsafe JSONReader().root(of: WebFile.bytes(of: cweb_contract().pointee)) else {
      preconditionFailure("docs/openapi.json is not JSON")
    }
    return root.minified()
  }()

  /// The document of a service without keys, where no operation needs a credential.
  static let open: [UInt8] = {
    // The last alternative of each `security` is then no credential.
    let text = String(decoding: protected, as: UTF8.self)
    return Array(text.replacing("{\"bearer\":[]}]", with: "{\"bearer\":[]},{}]").utf8)
  }()
}
