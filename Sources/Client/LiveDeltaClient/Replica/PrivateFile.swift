import Foundation

/// A file that only the user who runs the app may read, and on a device only after it was unlocked once: the
/// strictest protection with which an app can refresh in the background.
struct PrivateFile {
  let url: URL

  init(_ url: URL) { self.url = url }

  /// Replaces the file in one step.
  func replace(by bytes: [UInt8]) throws {
    var name = Array((url.path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)  // with the mode 0600
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    let path = String(
      decoding: name.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    let next = PrivateFile(URL(fileURLWithPath: path))
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try next.protect()
      try file.write(contentsOf: Data(bytes))
      try file.close()
      guard rename(path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      try FileManager.default.removeItem(at: next.url)
      throw error
    }
  }

  /// Sets the protection, where files have one.
  func protect() throws {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: url.path)
    #endif
  }
}
