import Foundation

/// A folder for a test's files, removed with it.
final class TemporaryFiles: Sendable {
  /// The folder.
  let path = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())").path

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file; gives its path.
  func add(_ text: String, named name: String = "\(UUID()).json") throws -> String {
    let file = path + "/" + name
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}
