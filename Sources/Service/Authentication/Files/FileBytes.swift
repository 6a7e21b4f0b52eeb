import Glibc

/// The bytes of a file; nil, with `errno`, when it cannot be read or has more than it may.
func fileBytes(_ path: String, bytesMax: Int) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 64 << 10)
  while true {
    let count = unsafe read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { return nil }
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
    guard bytes.count <= bytesMax else {
      errno = EFBIG
      return nil
    }
  }
}
