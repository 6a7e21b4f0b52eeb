import Glibc

extension ListeningSocket {
  /// Opens a Unix domain socket, replacing a stale socket file but not one in use.
  static func openUnix(
    _ address: ListenAddress, path: String, mode: UInt32, backlog: Int
  ) throws(ListenError) -> ListeningSocket {
    guard let name = SocketAddress.unix(path) else { throw .pathNotUsable(address) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | SocketFlags.nonBlocking, 0)
    guard descriptor >= 0 else { throw ListenError(address, errno: errno) }
    do throws(ListenError) {
      // The file gets the mode of the socket, so it is never more accessible than intended.
      guard fchmod(descriptor, mode) == 0 else { throw ListenError(address, errno: errno) }
      if unsafe name.withPointer({ unsafe bind(descriptor, $0, $1) }) != 0 {
        guard errno == EADDRINUSE else { throw ListenError(address, errno: errno) }
        try removeStale(address, path: path, name: name)
        guard unsafe name.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0 else {
          throw ListenError(address, errno: errno)
        }
      }
      guard unsafe chmod(path, mode) == 0, listen(descriptor, Int32(backlog)) == 0 else {
        throw ListenError(address, errno: errno)
      }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, bound: .unix(path: path))
  }

  /// Removes the file of a socket that no process listens on.
  private static func removeStale(
    _ address: ListenAddress, path: String, name: SocketAddress
  ) throws(ListenError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw ListenError(address, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .pathTaken(address) }
    let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | SocketFlags.nonBlocking, 0)
    guard probe >= 0 else { throw ListenError(address, errno: errno) }
    defer { Glibc.close(probe) }
    let live =
      unsafe name.withPointer { unsafe connect(probe, $0, $1) } == 0 || errno != ECONNREFUSED
    guard !live else { throw .addressInUse(address) }
    guard unsafe unlink(path) == 0 else { throw ListenError(address, errno: errno) }
  }
}
