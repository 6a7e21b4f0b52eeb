import CZlib
import Glibc

/// Reads whole files, or standard input for `-`, and inflates gzipped ones.
enum InputFile {
  /// The maximum inflated size of a gzipped input, in bytes.
  static let bytesMax = 4 << 30

  /// Returns all bytes of a file, inflated if it is gzipped.
  ///
  /// - Throws: `InputError` if the file cannot be read, or begins like a gzip file but is not
  ///   valid.
  static func read(_ path: String) throws(InputError) -> [UInt8] {
    let bytes = try readAll(path)
    guard bytes.starts(with: [0x1f, 0x8b]) else { return bytes }
    guard let inflated = inflate(bytes) else {
      throw InputError(path: path, reason: "is not a whole gzip file", status: .data)
    }
    return inflated
  }

  private static func readAll(_ path: String) throws(InputError) -> [UInt8] {
    let descriptor =
      path == "-" ? dup(Surroundings.current.input) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputError(path: path, code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw InputError(path: path, code: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Inflates all members of a gzip file (RFC 1952 §2.2); returns `nil` if it is invalid or too
  /// large.
  private static func inflate(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard livedelta_inflate_init(&stream, 15 + 16) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    return input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while true {
        let (code, count) = buffer.withUnsafeMutableBufferPointer { buffer in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          return (CZlib.inflate(&stream, Z_NO_FLUSH), buffer.count - Int(stream.avail_out))
        }
        output += buffer[..<count]
        guard code == Z_OK || code == Z_STREAM_END, output.count <= bytesMax else { return nil }
        if code == Z_STREAM_END {
          if stream.avail_in == 0 { return output }
          guard inflateReset(&stream) == Z_OK else { return nil }
        }
      }
    }
  }
}

struct InputError: Error, CustomStringConvertible {
  var path: String
  var reason: String
  var status: ExitStatus

  init(path: String, reason: String, status: ExitStatus = .missing) {
    self.path = path
    self.reason = reason
    self.status = status
  }

  init(path: String, code: Int32) {
    self.init(path: path, reason: String(cString: strerror(code)))
  }

  var description: String { "\(path): \(reason)" }
}

/// Reads a file, or standard input for `-`, line by line.
final class InputLines {
  private let file: UnsafeMutablePointer<FILE>

  init(_ path: String) throws(InputError) {
    let descriptor =
      path == "-" ? dup(Surroundings.current.input) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, let file = fdopen(descriptor, "r") else {
      throw InputError(path: path, code: errno)
    }
    self.file = file
  }

  /// The next line; nil after the last one, or if nothing more can be read.
  func next() -> [UInt8]? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    let count = getline(&line, &capacity, file)
    return count < 0 ? nil : Array(UnsafeRawBufferPointer(start: line, count: count))
  }

  deinit { fclose(file) }
}
